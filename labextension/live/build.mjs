/** Builds the two files that the Python package carries; with --tests, the tests instead. `node build.mjs FOLDER` */

import { build } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';

const [folder, ...flags] = process.argv.slice(2);
/** The style as a text of many lines, so that the built file can be read. */
const style = {
  name: 'style',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, ({ path }) => ({
      contents: `export default String.raw\`${readFileSync(path, 'utf8')}\`;`
    }));
  }
};
const shared = {
  bundle: true,
  charset: 'utf8',
  format: 'esm',
  legalComments: 'none',
  logLevel: 'warning',
  plugins: [style],
  target: 'es2022'
};
if (flags.includes('--tests')) {
  const tests = readdirSync('tests').filter(name => name.endsWith('.test.ts'));
  await build({
    ...shared,
    entryPoints: tests.map(name => `tests/${name}`),
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    platform: 'node'
  });
} else {
  await build({ ...shared, entryPoints: { live: 'src/index.ts', loader: 'src/loader.ts' }, outdir: folder });
}
