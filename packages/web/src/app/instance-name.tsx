// The name of a call. Where there is no room for all of it, it is cut before its index, as `research…[2]`.

import styles from './instance-name.module.css';

export interface InstanceNameProps {
  readonly name: string;
  readonly className: string | undefined;
}

export function InstanceName({ name, className = '' }: InstanceNameProps) {
  const index = /\[\d+\]$/.exec(name)?.[0] ?? '';
  return (
    <span className={`${styles.whole} ${className}`}>
      <span className={styles.name} title={name}>
        {name.slice(0, name.length - index.length)}
      </span>
      {index === '' ? null : <span>{index}</span>}
    </span>
  );
}
