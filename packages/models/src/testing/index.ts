// What tests need of models: a provider under control, behind a real socket.

export { type ScriptedHttpModel, scriptedHttpModel } from './scripted-http-model.ts';
export { type ScriptedServer, type ScriptedServerOptions, serveScript } from './scripted-server.ts';
