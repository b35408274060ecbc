import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fields, Kernel, Model } from '../src/model';

class FakeModel implements Model {
  readonly sent: Fields[] = [];
  private heard: ((value: unknown) => void)[] = [];
  get(): unknown {
    return undefined;
  }
  send(content: unknown): void {
    this.sent.push(content as Fields);
  }
  on(_: string, callback: (value: unknown) => void): void {
    this.heard.push(callback);
  }
  off(_: string, callback: (value: unknown) => void): void {
    this.heard = this.heard.filter(h => h !== callback);
  }
  reply(value: unknown): void {
    this.heard.forEach(h => h(value));
  }
}

test('each question gets its own reply, whatever their order', async () => {
  const model = new FakeModel();
  const kernel = new Kernel(model);
  const [first, second] = [kernel.ask('page', { offset: 1 }), kernel.ask('code')];
  assert.deepEqual(model.sent.map(s => s['request']), ['page', 'code']);
  model.reply({ id: model.sent[1]?.['id'], reply: { source: 'x' } });
  model.reply({ id: model.sent[0]?.['id'], reply: {} });
  assert.deepEqual(await second, { source: 'x' });
  assert.deepEqual(await first, {});
});

test('an error of the kernel is an error here, and replies to another view are not taken', async () => {
  const model = new FakeModel();
  const [one, other] = [new Kernel(model), new Kernel(model)];
  const asked = one.ask('page');
  const also = other.ask('page');
  assert.notEqual(model.sent[0]?.['id'], model.sent[1]?.['id']);
  model.reply({ id: model.sent[0]?.['id'], error: 'no number' });
  await assert.rejects(asked, /no number/);
  model.reply({ id: model.sent[1]?.['id'], reply: { a: 1 } });
  assert.deepEqual(await also, { a: 1 });
  model.reply('noise');
});
