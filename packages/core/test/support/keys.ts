// Texts with the shape of a key. Put together here, so that no scanner takes this file for a leak.

const random = 'aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY';

export const keys: Readonly<Record<string, string>> = {
  openai: `sk-${random}${random.slice(0, 16)}`,
  'openai of a project': `sk-${'proj'}-${random}_${random}-${random}`,
  anthropic: `sk-${'ant'}-api03-${random}-${random}AA`,
  openrouter: `sk-${'or'}-v1-${'0123456789abcdef'.repeat(4)}`,
  'github ghp': `gh${'p'}_${random}abcd`,
  'github gho': `gh${'o'}_${random}abcd`,
  'github ghu': `gh${'u'}_${random}abcd`,
  'github ghs': `gh${'s'}_${random}abcd`,
  'github ghr': `gh${'r'}_${random}abcd`,
  'github fine-grained': `github_${'pat'}_11ABCDEFG0${random.slice(0, 12)}_${random}${random}`,
  gitlab: `gl${'pat'}-${random.slice(0, 20)}`,
  'slack bot': `xox${'b'}-123456789012-1234567890123-${random.slice(0, 24)}`,
  'slack person': `xox${'p'}-123456789012-1234567890123-${random.slice(0, 24)}`,
  'slack app': `xa${'pp'}-1-A0123456789-1234567890123-${random}`,
  aws: `AK${'IA'}IOSFODNN7EXAMPLE`,
  'aws for a while': `AS${'IA'}IOSFODNN7EXAMPLE`,
  google: `AI${'za'}${random}abc`,
  groq: `gs${'k'}_${random}${random.slice(0, 20)}`,
  'hugging face': `h${'f'}_${random}ab`,
  stripe: `sk_${'live'}_${random.slice(0, 24)}`,
  'stripe restricted': `rk_${'live'}_${random.slice(0, 24)}`,
  'stripe test': `sk_${'test'}_${random.slice(0, 24)}`,
  npm: `np${'m'}_${random}abcd`,
  sendgrid: `S${'G'}.${random.slice(0, 22)}.${random}${random.slice(0, 11)}`,
  jwt: `ey${'J'}hbGciOiJIUzI1NiJ9.ey${'J'}zdWIiOiIxMjM0NTY3ODkwIn0.${random}`,
  bearer: `Bearer ${random}`,
  pem: pemOf('RSA PRIVATE KEY', '\n'),
  'pem in JSON': pemOf('PRIVATE KEY', '\\n'),
};

export const lookalikes: readonly string[] = [
  'sk-learn, sk-learn-contrib and scikit-learn',
  'sk-this-is-only-a-long-name-in-kebab-case',
  'sk-notes-2024-01-15-second-draft-final',
  'task-aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY',
  'hf_hub, hf_hub_download and hf_transformers_version_4',
  'npm_config_registry and npm_lifecycle_event',
  'the gsk_ prefix, the ghp_ prefix, AKIA and AIza',
  'Asia, ASIA and ASIAPACIFICREGIONALHEADQUARTERSBUILDING',
  'a bearer of bad news; Bearer token-based-authentication-scheme',
  'eyJust a word.eyJust another.and a third',
  '-----BEGIN PRIVATE KEY----- is how such a file begins.',
  '-----BEGIN CERTIFICATE-----\nMIIBszCCAVmgAwIBAgIUaB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xY\n-----END CERTIFICATE-----',
  'https://example.com/a/very/long/path/with-many-words/in_it?and=a-query&of=0123456789abcdef',
  '8f14e45f-ceea-467f-a0e6-1f2d3c4b5a69',
];

function pemOf(label: string, newline: string): string {
  const line = `MII${random}${random}`.slice(0, 64);
  return [`-----BEGIN ${label}-----`, line, line, `${line.slice(0, 30)}==`, `-----END ${label}-----`].join(newline);
}
