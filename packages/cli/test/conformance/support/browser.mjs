// A browser without a person: goes where the page sends it. Its last argument is the address.

await (await fetch(process.argv.at(-1))).text();
