// The floor: the same scenario as a hand-written loop over fetch, without sessions, guards, facts or a ledger.

export function floor(baseUrl: string, fanOut: number): () => Promise<string> {
  const tool = (name: string) => ({
    type: 'function',
    function: { name, description: name, parameters: { type: 'object', properties: { text: { type: 'string' } } } },
  });
  const workers = Array.from({ length: fanOut }, (_, i) => tool(`agent__worker_${i}`));

  async function loop(
    system: string,
    prompt: string,
    tools: object[],
    run: (name: string, args: string) => Promise<string>,
  ): Promise<string> {
    const messages: object[] = [
      { role: 'system', content: system },
      { role: 'user', content: prompt },
    ];
    for (;;) {
      const response = await fetch(`${baseUrl}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'm', messages, tools }),
      });
      const { choices } = (await response.json()) as {
        choices: {
          message: { content: string; tool_calls?: { id: string; function: { name: string; arguments: string } }[] };
        }[];
      };
      const message = choices[0]?.message;
      if (!message?.tool_calls) return message?.content ?? '';
      messages.push(message);
      const results = await Promise.all(
        message.tool_calls.map((call) => run(call.function.name, call.function.arguments)),
      );
      for (const [i, call] of message.tool_calls.entries())
        messages.push({ role: 'tool', tool_call_id: call.id, content: results[i] });
    }
  }

  const worker = (args: string) =>
    loop('worker', args, [tool('calculate')], async (_, expression) => `= ${expression}`);
  return () => loop(`lead ${fanOut}`, 'go', workers, (_, args) => worker(args));
}
