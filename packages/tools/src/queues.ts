export class Queues {}
