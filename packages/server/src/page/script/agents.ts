// Part of the page's script: the agents, each with what it is for, how it is asked and what it answers.

export const agents = `
/** What the page needs of an agent, out of the document. */
function toAgent(whole, path, item) {
  const { name, description, usage = '' } = item['x-ai-agent'];
  const content = item.post.requestBody.content;
  const takesText = 'text/plain' in content;
  const answers = item.get.responses['200'].content;
  const [answerType] = Object.keys(answers);
  const body = content['application/json'];
  const exampleValue = body.example !== undefined ? body.example : exampleOf(whole, body.schema);
  return {
    id: item.get.operationId,
    name,
    description,
    usage,
    takesText,
    address: new URL(path.slice(1), base).href,
    input: body.schema,
    exampleBody: toJson(exampleValue),
    exampleText: takesText ? usage || 'Hello' : JSON.stringify(exampleValue),
    answerType,
    answersJson: answerType === 'application/json',
    output: answers[answerType].schema,
  };
}

function agentsOf(whole) {
  const items = Object.entries(whole.paths).filter(([, item]) => item['x-ai-agent']);
  return items.map(([path, item]) => toAgent(whole, path, item));
}

function showAgent(whole, agent) {
  const { id, name, description, usage, takesText, address, exampleText, exampleBody } = agent;
  const needsKey = Boolean(whole.security);
  const type = takesText ? 'text/plain' : 'application/json';
  const shell = make('div', {});
  const showShell = (form) => shell.replaceChildren(
    example(curlGet({ needsKey, address, question: exampleText, ...form }), 'the command that asks ' + name + ' with an address'),
    example(curlPost({ needsKey, address: withForm(address, form).href, type, body: takesText ? exampleText : exampleBody }), 'the command that asks ' + name + ' with a body'));
  showShell({ format: '', schema: '' });
  return make('article', { id, 'aria-labelledby': id + '-name' },
    make('h3', { id: id + '-name' }, name),
    description ? make('p', { class: 'text' }, description) : '',
    usage ? make('p', { class: 'usage' }, usage) : '',
    make('h4', {}, 'Try it'),
    tryForm(agent, showShell),
    make('h4', {}, 'From a shell'),
    shell,
    make('h4', {}, 'Input'),
    takesText ? textInput() : contract(whole, agent.input),
    make('h4', {}, 'Answer'),
    agent.answersJson ? contract(whole, agent.output) : make('p', {}, agent.answerType === 'text/markdown' ? 'Markdown.' : 'Text.'));
}

function textInput() {
  const code = (word) => make('code', {}, word);
  return make('p', {}, 'Text, or JSON with ', code('text'), ', and beside it ', code('format'), ', ', code('schema'), ' and ', code('budget'), ' where you want them.');
}

function contract(whole, schema) {
  const plain = resolve(whole, schema);
  const about = typeof plain.description === 'string' ? make('p', {}, plain.description) : '';
  return make('div', {}, about, describe(whole, schema), raw(plain, 'The schema as JSON'));
}
`;
