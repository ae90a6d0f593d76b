export class Connections {
  async close() {}
}
