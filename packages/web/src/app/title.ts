// The title of a session for people: what was filled into a form is told without the signs of JSON.

export function titleWords(title: string): string {
  if (!title.startsWith('{')) return title;
  return title
    .replaceAll(/\\(.)/g, (_, sign: string) => escaped[sign] ?? '')
    .replaceAll(/[{}"[\]]/g, '')
    .replaceAll(/[:,](?=\S)/g, '$& ');
}

const escaped: Readonly<Record<string, string>> = { n: ' ', r: ' ', t: ' ', '\\': '\\' };
