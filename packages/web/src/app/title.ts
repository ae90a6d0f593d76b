// The title of a session for people: what was filled into a form is told without the signs of JSON.

export function titleWords(title: string): string {
  if (!title.startsWith('{')) return title;
  return title.replaceAll(/[{}"[\]\\]/g, '').replaceAll(/[:,](?=\S)/g, '$& ');
}
