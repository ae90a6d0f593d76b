// The promise: agents as tools keep the contract of every headend over HTTP, with every client and in both revisions.

import { overHttp } from '../support/mcp-routes.ts';
import { toolsKeepTheContract } from './tools-keep-the-contract.ts';

toolsKeepTheContract(overHttp);
