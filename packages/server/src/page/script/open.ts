// Part of the page's script: reads the document, with a key where one is needed, and shows what is in it.

export const open = `
/** Where the server begins: the page is there too, or in it under the name docs. */
const base = new URL('?', location.href);
base.pathname = base.pathname.replace(/\\/docs$/, '').replace(/\\/?$/, '/');
base.search = '';
/** In memory alone. */
let key = '';

function keyHeaders() {
  return key === '' ? {} : { authorization: 'Bearer ' + key };
}

async function start() {
  const state = byId('state');
  try {
    const response = await fetch(new URL('openapi.json', base), { headers: keyHeaders() });
    if (response.status === 401) return askForKey(key === '' ? 'This server asks for a key.' : 'This key was refused.');
    if (!response.ok) return refuse(await failureText(response));
    show(await response.json());
    state.textContent = '';
    state.hidden = true;
  } catch (error) {
    refuse(error.message);
  }
}

function refuse(text) {
  byId('state').classList.add('bad');
  byId('state').textContent = 'What is served could not be read. ' + text;
}

function askForKey(text) {
  key = '';
  byId('state').textContent = text;
  byId('key').hidden = false;
  byId('key-value').focus();
}

byId('key').addEventListener('submit', (event) => {
  event.preventDefault();
  key = byId('key-value').value.trim();
  byId('key-value').value = '';
  byId('key').hidden = true;
  void start();
});

function show(whole) {
  const agents = agentsOf(whole);
  const none = make('p', {}, 'There is no agent here that you may call.');
  byId('nav').replaceChildren(
    make('p', {}, 'Agents'),
    make('ul', {}, agents.map(({ id, name }) => link(id, name))),
    make('p', {}, 'The server'),
    make('ul', {}, link('asking', 'How to ask'), link('sessions', 'Sessions'), link('errors', 'Errors and limits'), link('server', 'Server')));
  byId('main').replaceChildren(
    make('section', { id: 'agents' }, make('h2', {}, agents.length === 1 ? 'One agent' : agents.length + ' agents'),
      agents.length === 0 ? none : agents.map((agent) => showAgent(whole, agent))),
    showAsking(whole), showSessions(whole, agents), showErrors(whole), showServer(whole));
  if (location.hash) byId(location.hash.slice(1))?.scrollIntoView();
}

function link(id, text) {
  return make('li', {}, make('a', { href: '#' + id }, text));
}

void start();
`;
