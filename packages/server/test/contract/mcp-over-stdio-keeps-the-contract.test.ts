// The promise: agents as tools keep the contract of every headend over the streams of a process, with every client and in both revisions.

import { overStdio } from '../support/mcp-routes.ts';
import { toolsKeepTheContract } from './tools-keep-the-contract.ts';

toolsKeepTheContract(overStdio);
