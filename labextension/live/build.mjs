/** Builds the two files that the Python package carries; with --tests, the tests instead. `node build.mjs FOLDER` */

import { build } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';

const [folder, ...flags] = process.argv.slice(2);
/** The style as a text of many lines, without indentation and comments: notebooks that save widgets save it. */
const spare = css => css.replace(/\/\*[^]*?\*\/\n/g, '').replace(/^\s+/gm, '');
const style = {
  name: 'style',
  setup(build) {
    build.onLoad({ filter: /\.css$/ }, ({ path }) => ({
      contents: `export default String.raw\`${spare(readFileSync(path, 'utf8'))}\`;`
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
  // Names stay, and lines are short enough to be compared.
  const small = { minifySyntax: true, minifyWhitespace: true, lineLimit: 160 };
  await build({ ...shared, ...small, entryPoints: { live: 'src/index.ts', loader: 'src/loader.ts' }, outdir: folder });
}
