// The style sheets of the widget. They are made by script, since pages of others may forbid any that stand in elements.

import tokens from '../look/tokens.css?inline';
import markdown from '../markdown/markdown.css?inline';
import widget from './widget.css?inline';

export function makeSheets(): readonly CSSStyleSheet[] {
  return [toHost(tokens), markdown, widget].map((text) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(withOwnSize(text));
    return sheet;
  });
}

/** Every value of ours is one that the page may set, under the same name with `ai-agent` before it. */
function toHost(css: string): string {
  const [light = '', dark = ''] = css.split('@media');
  const night = valuesIn(dark);
  const values = [...valuesIn(light)].map(([name, day]) => {
    const isColour = /^(#|color-mix\(|rgb\()/.test(day);
    const usual = isColour ? `light-dark(${day}, ${night.get(name) ?? day})` : day;
    return `--${name}: var(--ai-agent-${name}, ${usual});`;
  });
  return `:host { ${values.join(' ')} }`;
}

function valuesIn(css: string): ReadonlyMap<string, string> {
  return new Map([...css.matchAll(/--([\w-]+):\s*([^;}]+)/g)].map(([, name = '', value = '']) => [name, value.trim()]));
}

/** Pages make `rem` what they like. */
function withOwnSize(css: string): string {
  return css.replace(/(\d*\.?\d+)rem\b/g, 'calc(var(--ai-agent-size, 16px) * $1)');
}
