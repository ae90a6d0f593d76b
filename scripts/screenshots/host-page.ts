// A page of somebody else, with the widget in it.

import type { Headend } from '@ai-agent/server';

export const hostPage: Headend = {
  name: 'host-page',
  mount() {},
  mountOutside(app) {
    app.get('/shop', (context) => context.html(html));
  },
};

const html = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Harbour Software</title>
<style>
  body { margin: 0; font: 16px/1.6 Georgia, "Liberation Serif", serif; color: #23282b; background: #faf7f2; }
  main { display: grid; grid-template-columns: 1fr 25rem; gap: 3rem; max-width: 56rem; margin: 3rem auto; padding: 0 1.5rem; }
  h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 1rem; }
  ai-agent-chat { height: 34rem; --ai-agent-accent: #7a3e1d; }
</style>
<main>
  <article>
    <h1>What is new in Harbour</h1>
    <p>Harbour keeps the papers of small ships in order. Every few weeks there is a new version.</p>
    <p>Tell our writer what has changed, and read the note that we would publish.</p>
  </article>
  <ai-agent-chat agent="release-note" heading="Release notes" placeholder="What has changed?"></ai-agent-chat>
</main>
<script src="/widget.js" async></script>
</html>`;
