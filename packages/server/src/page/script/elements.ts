// Part of the page's script: elements. Whatever comes from agents becomes text, never markup.

export const elements = `
function make(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) element.setAttribute(name, value);
  element.append(...children.flat().filter((child) => child !== undefined && child !== null && child !== ''));
  return element;
}

function byId(id) {
  return document.getElementById(id);
}

function toJson(value) {
  return JSON.stringify(value, null, 2);
}

/** A block of code with a button that copies it. */
function example(text, label) {
  const button = make('button', { type: 'button', class: 'plain small copy', 'aria-label': 'Copy ' + label }, 'Copy');
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Select it';
    }
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  });
  return make('div', { class: 'example' }, make('pre', { tabindex: '0' }, make('code', {}, text)), button);
}

function raw(schema, summary) {
  return make('details', {}, make('summary', {}, summary), make('pre', { tabindex: '0' }, toJson(schema)));
}
`;
