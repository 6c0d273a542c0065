import assert from 'node:assert/strict';
import sharp from 'sharp';
import { afterEach, describe, expect, it } from 'vitest';
import { type Handler, sendJson, startService } from '../../../test/support/image-services.ts';
import { createMask, createRaster } from '../../image/raster.ts';
import { createThrottle } from '../../net/throttle.ts';
import type { GenerateRequest, Provider } from '../provider.ts';
import { automatic1111 } from './automatic1111.ts';
import { comfyui } from './comfyui.ts';
import { checkpointsOf, defaultWorkflow, fillWorkflow } from './comfyui-workflow.ts';
import type { HttpProviderOptions } from './http-provider.ts';
import { huggingFace } from './hugging-face.ts';
import { readProvider } from './index.ts';
import { openaiImages } from './openai.ts';
import { replicate } from './replicate.ts';
import { stability } from './stability.ts';

const secret = 'key-that-must-not-be-seen';
const environment = {
  OPENAI_API_KEY: secret,
  STABILITY_API_KEY: secret,
  REPLICATE_API_TOKEN: secret,
  HF_TOKEN: secret,
};
const picture = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#4080c0' } })
  .png()
  .toBuffer();
const base64 = picture.toString('base64');

const plain: GenerateRequest = { prompt: 'a mug on a street', negative: 'text', seed: 7, width: 512, height: 512 };
const image = createRaster(8, 6, new Uint8Array(8 * 6 * 3).fill(90));
const keep = createMask(8, 6);
keep.data.fill(255, 8, 24);
const edit: GenerateRequest = { prompt: 'a beach', seed: 3, edit: { image, keep } };

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const service of open.splice(0)) await service.close();
});
async function serve(handler: Handler) {
  const service = await startService(handler);
  open.push(service);
  return service;
}

/** The mask as the service gets it: white where it paints, which is where the object is not. */
async function checkPainted(png: Buffer) {
  const { data, info } = await sharp(png).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  assert.deepEqual([info.width, info.height], [8, 6]);
  for (let i = 0; i < 48; i++) assert.equal(data[i * info.channels], keep.data[i] ? 0 : 255);
}
const bytesOf = async (value: unknown) => Buffer.from(await (value as File).arrayBuffer());

interface Service {
  readonly make: (options: HttpProviderOptions) => Provider;
  readonly model?: string;
  /** Checks the request as the service's documentation defines it, then answers with a picture. */
  readonly succeed: Handler;
  readonly edits: boolean;
  /** What its answers say of the model and its version. */
  readonly said: { readonly model: string; readonly version: string };
  readonly moderation: { status: number; body: unknown };
}

const services: Record<string, Service> = {
  automatic1111: {
    make: automatic1111,
    edits: true,
    async succeed(received, response) {
      const body = received.json();
      assert.equal(received.method, 'POST');
      assert.equal(typeof body.prompt, 'string');
      assert.equal(typeof body.seed, 'number');
      assert.equal(typeof body.steps, 'number');
      if (received.path === '/sdapi/v1/img2img') {
        assert.equal((body.init_images as string[]).length, 1);
        assert.equal(body.inpainting_mask_invert, 0);
        await checkPainted(Buffer.from(body.mask as string, 'base64'));
      } else {
        assert.equal(received.path, '/sdapi/v1/txt2img');
        assert.equal(body.negative_prompt, 'text');
        assert.equal(body.width, 512);
      }
      const info = { sd_model_name: 'dreamshaper_8', sd_model_hash: '879db523c3', version: 'v1.9.3', seed: 7 };
      sendJson(response, { images: [base64], parameters: {}, info: JSON.stringify(info) });
    },
    said: { model: 'dreamshaper_8', version: '879db523c3, v1.9.3' },
    moderation: { status: 422, body: { detail: 'validation', error: 'the prompt is not allowed' } },
  },
  openai: {
    make: openaiImages,
    edits: true,
    async succeed(received, response) {
      assert.equal(received.headers.authorization, `Bearer ${secret}`);
      if (received.path === '/images/edits') {
        const form = await received.form();
        assert.equal(form.get('model'), 'gpt-image-1');
        assert.equal(form.get('prompt'), 'a beach');
        const { data } = await sharp(await bytesOf(form.get('mask')))
          .raw()
          .toBuffer({ resolveWithObject: true });
        for (let i = 0; i < 48; i++) assert.equal(data[i * 4 + 3], keep.data[i]);
      } else {
        assert.equal(received.path, '/images/generations');
        const body = received.json();
        assert.deepEqual([body.model, body.n, body.size], ['gpt-image-1', 1, '512x512']);
        assert.equal('seed' in body, false);
        assert.match(body.prompt as string, /text/);
      }
      sendJson(response, { created: 1, data: [{ b64_json: base64 }] }, 200, { 'openai-version': '2020-10-01' });
    },
    said: { model: 'gpt-image-1', version: '2020-10-01' },
    moderation: {
      status: 400,
      body: {
        error: {
          message: 'rejected by the safety system',
          code: 'moderation_blocked',
          type: 'image_generation_user_error',
        },
      },
    },
  },
  stability: {
    make: stability,
    edits: true,
    async succeed(received, response) {
      assert.equal(received.headers.authorization, `Bearer ${secret}`);
      assert.equal(received.headers.accept, 'image/*');
      const form = await received.form();
      assert.equal(form.get('output_format'), 'png');
      assert.match(String(form.get('seed')), /^\d+$/);
      if (received.path === '/v2beta/stable-image/edit/inpaint') await checkPainted(await bytesOf(form.get('mask')));
      else {
        assert.equal(received.path, '/v2beta/stable-image/generate/core');
        assert.equal(form.get('aspect_ratio'), '1:1');
        assert.equal(form.get('negative_prompt'), 'text');
      }
      response.writeHead(200, { 'content-type': 'image/png', 'finish-reason': 'SUCCESS' });
      response.end(picture);
    },
    said: { model: 'core', version: 'v2beta' },
    moderation: {
      status: 403,
      body: { id: '1', name: 'content_moderation', errors: ['flagged by our content moderation'] },
    },
  },
  'hugging-face': {
    make: huggingFace,
    edits: false,
    succeed(received, response) {
      assert.equal(received.headers.authorization, `Bearer ${secret}`);
      assert.equal(received.path, '/models/stabilityai/stable-diffusion-xl-base-1.0');
      const { inputs, parameters } = received.json() as { inputs: string; parameters: Record<string, unknown> };
      assert.equal(inputs, plain.prompt);
      assert.deepEqual(parameters, { negative_prompt: 'text', seed: 7, width: 512, height: 512 });
      response.writeHead(200, { 'content-type': 'image/png', 'x-repo-commit': '462165984030' });
      response.end(picture);
    },
    said: { model: 'stabilityai/stable-diffusion-xl-base-1.0', version: '462165984030' },
    moderation: { status: 400, body: { error: 'the prompt was refused' } },
  },
  replicate: {
    make: (options) => replicate({ ...options, pollMs: 1 }),
    model: 'black-forest-labs/flux-schnell',
    edits: true,
    async succeed(received, response) {
      const host = `http://${received.headers.host}`;
      if (received.path === '/files/1.png') {
        // The file's host never gets the key.
        assert.equal(received.headers.authorization, undefined);
        response.writeHead(200, { 'content-type': 'image/png' });
        response.end(picture);
        return;
      }
      assert.equal(received.headers.authorization, `Bearer ${secret}`);
      if (received.path === '/predictions/p1') {
        sendJson(response, {
          id: 'p1',
          version: '5f24084160c9',
          status: 'succeeded',
          output: [`${host}/files/1.png`],
          urls: { get: `${host}/predictions/p1` },
        });
        return;
      }
      assert.equal(received.path, '/models/black-forest-labs/flux-schnell/predictions');
      const { input } = received.json() as { input: Record<string, unknown> };
      assert.equal(typeof input.prompt, 'string');
      assert.equal(typeof input.seed, 'number');
      if (input.mask) await checkPainted(Buffer.from(String(input.mask).split(',')[1], 'base64'));
      sendJson(response, { id: 'p1', status: 'starting', output: null, urls: { get: `${host}/predictions/p1` } }, 201);
    },
    said: { model: 'black-forest-labs/flux-schnell', version: '5f24084160c9' },
    moderation: { status: 422, body: { detail: 'NSFW content detected' } },
  },
  comfyui: {
    make: (options) => comfyui({ ...options, pollMs: 1 }),
    edits: true,
    async succeed(received, response) {
      if (received.path === '/upload/image') {
        const file = (await received.form()).get('image') as File;
        sendJson(response, { name: `${file.size}.png`, subfolder: '', type: 'input' });
      } else if (received.path === '/prompt') {
        const { prompt: graph } = received.json() as {
          prompt: Record<string, { class_type: string; inputs: Record<string, unknown> }>;
        };
        // Every reference leads to a node that exists, as ComfyUI's own validation asks.
        for (const { inputs } of Object.values(graph))
          for (const value of Object.values(inputs)) if (Array.isArray(value)) assert.ok(graph[value[0] as string]);
        assert.equal(typeof graph.sample.inputs.seed, 'number');
        assert.equal(JSON.stringify(graph).includes('{'.concat('prompt}')), false);
        sendJson(response, { prompt_id: 'id-1', number: 1, node_errors: {} });
      } else if (received.path === '/history/id-1') {
        const image = { filename: 'sceneshift_1.png', subfolder: '', type: 'output' };
        sendJson(response, {
          'id-1': { outputs: { save: { images: [image] } }, status: { status_str: 'success', completed: true } },
        });
      } else if (received.path === '/system_stats') {
        sendJson(response, { system: { os: 'posix', comfyui_version: '0.3.40' }, devices: [] });
      } else {
        assert.equal(received.path, '/view');
        assert.equal(received.query.get('filename'), 'sceneshift_1.png');
        response.writeHead(200, { 'content-type': 'image/png' });
        response.end(picture);
      }
    },
    said: { model: 'v1-5-pruned-emaonly.safetensors', version: '0.3.40' },
    moderation: {
      status: 400,
      body: { error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation' } },
    },
  },
};

describe.each(Object.entries(services))('%s', (name, { make, model, succeed, edits, said, moderation }) => {
  const providerAt = (url: string) => make({ url, model, environment });
  /** As a batch asks: with retries, without waiting in earnest. */
  const retrying = () => createThrottle({ parallel: 1, retries: 2, sleep: async () => {}, now: () => 0 });

  it('text to picture, with where it comes from', async () => {
    const { url } = await serve(succeed);
    const made = await providerAt(url).generate(plain);
    expect(Buffer.from(made.bytes).equals(picture)).toBe(true);
    expect(made).toMatchObject({ format: 'png', provenance: { provider: name, prompt: plain.prompt, seed: 7 } });
    expect(made.provenance).toMatchObject(said);
    expect(JSON.stringify(made.provenance)).not.toContain(secret);
  });

  it(edits ? 'paints around an object' : 'says that it cannot paint around an object', async () => {
    const { url } = await serve(succeed);
    const answer = providerAt(url).generate(edit);
    if (edits) expect((await answer).format).toBe('png');
    else await expect(answer).rejects.toThrow(/a provider that paints around an object/);
  });

  it('tries again after a rate limit and after a failure, and then succeeds', async () => {
    const trouble = [
      (response: Parameters<Handler>[1]) => sendJson(response, { error: 'slow down' }, 429, { 'retry-after': '0' }),
      (response: Parameters<Handler>[1]) => sendJson(response, { error: 'out of memory' }, 500),
    ];
    const { url } = await serve((received, response) => {
      const next = trouble.shift();
      return next ? next(response) : succeed(received, response);
    });
    const provider = providerAt(url);
    expect((await retrying().run(() => provider.generate(plain))).format).toBe('png');
  });

  it('a refusal by moderation is final, costs one request, and says why', async () => {
    const service = await serve((_, response) => sendJson(response, moderation.body, moderation.status));
    const provider = providerAt(service.url);
    const failure = retrying().run(() => provider.generate(plain));
    await expect(failure).rejects.toMatchObject({ name: 'Refused' });
    await expect(failure).rejects.not.toThrow(secret);
    expect(service.requests).toHaveLength(1);
  });

  it('an answer that breaks off is not taken for a picture', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'content-length': '5000' });
      response.write(picture.subarray(0, 20));
      setImmediate(() => response.destroy());
    });
    const provider = providerAt(url);
    await expect(retrying().run(() => provider.generate(plain))).rejects.toThrow(/3 tries/);
  });

  it('what is no picture is refused', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'image/png' });
      response.end('<html>busy</html>');
    });
    const provider = providerAt(url);
    await expect(retrying().run(() => provider.generate(plain))).rejects.toThrow();
  });
});

describe('versions', () => {
  it('a service that says nothing of its version is taken without one', async () => {
    const automatic = await serve((_, response) => sendJson(response, { images: [base64], info: 'none' }));
    const made = await automatic1111({ url: automatic.url }).generate(plain);
    expect(made.provenance).toMatchObject({ model: 'the one that is loaded' });
    expect(made.provenance).not.toHaveProperty('version');
    const { succeed } = services.comfyui;
    const comfy = await serve((received, response) =>
      received.path === '/system_stats' ? sendJson(response, {}, 404) : succeed(received, response),
    );
    const provider = comfyui({ url: comfy.url, pollMs: 1 });
    for (let i = 0; i < 2; i++) expect((await provider.generate(plain)).provenance).not.toHaveProperty('version');
    expect(comfy.requests.filter(({ path }) => path === '/system_stats')).toHaveLength(1);
  });

  it("ComfyUI's own graph names the weights it loads", () => {
    const graph = defaultWorkflow({ checkpoint: 'sdxl.safetensors', edit: 'none' });
    const lora = { class_type: 'LoraLoader', inputs: { lora_name: 'mugs.safetensors', model: ['model', 0] } };
    expect(checkpointsOf({ ...graph, lora })).toBe('sdxl.safetensors, mugs.safetensors');
  });
});

describe('refusals that come late, or as a success', () => {
  it('Stability: a filtered picture has status 200', async () => {
    const service = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'image/png', 'finish-reason': 'CONTENT_FILTERED' });
      response.end(picture);
    });
    await expect(stability({ url: service.url, environment }).generate(plain)).rejects.toMatchObject({
      name: 'Refused',
      message: expect.stringContaining("filtered the picture of 'a mug on a street'"),
    });
  });

  it.each(['failed', 'canceled'])('Replicate: a prediction that %s says why', async (status) => {
    const service = await serve((received, response) => {
      const urls = { get: `http://${received.headers.host}/predictions/p1` };
      const isLater = received.path === '/predictions/p1';
      const error = isLater ? 'NSFW content detected' : null;
      sendJson(response, { id: 'p1', status: isLater ? status : 'processing', output: null, error, urls }, 201);
    });
    const provider = replicate({ url: service.url, model: 'a/b', environment, pollMs: 1 });
    await expect(provider.generate(plain)).rejects.toMatchObject({
      name: 'Refused',
      message: expect.stringContaining(`the prediction ${status}: NSFW content detected`),
    });
  });

  it.each([
    ['fails', { status_str: 'error', completed: false }, /the workflow failed/],
    ['ends without a picture', { status_str: 'success', completed: true }, /without a picture/],
  ])('ComfyUI: a workflow that %s', async (_, status, message) => {
    const service = await serve((received, response) =>
      received.path === '/prompt'
        ? sendJson(response, { prompt_id: 'id-1', number: 1, node_errors: {} })
        : sendJson(response, { 'id-1': { outputs: {}, status } }),
    );
    await expect(comfyui({ url: service.url, pollMs: 1 }).generate(plain)).rejects.toThrow(message);
  });
});

describe('keys', () => {
  it.each(['openai', 'stability', 'hugging-face', 'replicate'])(
    '%s names the variable that is missing',
    async (name) => {
      const { make, model } = services[name];
      await expect(make({ url: 'http://127.0.0.1:9', model, environment: {} }).generate(plain)).rejects.toThrow(
        /set [A-Z_]+ in the environment/,
      );
    },
  );

  it('a wrong key ends the batch with one line that does not show it', async () => {
    const { url } = await serve((_, response) => sendJson(response, { error: { message: 'Incorrect API key' } }, 401));
    const failure = openaiImages({ url, environment }).generate(plain);
    await expect(failure).rejects.toThrow('answered 401: Incorrect API key; set OPENAI_API_KEY in the environment');
  });

  it("Replicate's key is not sent to a host the answer names", async () => {
    const { url } = await serve((_, response) =>
      sendJson(response, { id: 'p', status: 'starting', urls: { get: 'http://127.0.0.2:1/steal' } }, 201),
    );
    await expect(replicate({ url, model: 'a/b', environment, pollMs: 1 }).generate(plain)).rejects.toThrow(
      /another host/,
    );
  });
});

describe('a ComfyUI workflow', () => {
  it('keeps numbers as numbers and texts whole', () => {
    const filled = fillWorkflow(defaultWorkflow({ checkpoint: 'x', edit: 'none' }), {
      prompt: 'a "quoted" {seed}',
      negative: '',
      seed: 5,
      width: 64,
      height: 64,
      steps: 1,
      cfg: 2,
      strength: 1,
    });
    expect(filled.positive.inputs.text).toBe('a "quoted" {seed}');
    expect(filled.sample.inputs.seed).toBe(5);
  });

  it('without a place for the prompt is refused', () => {
    const workflow = { a: { class_type: 'SaveImage', inputs: {} } };
    expect(() => fillWorkflow(workflow, { prompt: 'x' })).toThrow(/has no \{prompt\}/);
  });
});

describe('--provider', () => {
  it('reads names, folders and programs', () => {
    expect(readProvider('openai')).toEqual({ kind: 'http', id: 'openai' });
    expect(readProvider('folder:made/elsewhere')).toEqual({ kind: 'folder', folder: 'made/elsewhere' });
    expect(readProvider('command:python3 make.py --size 512')).toEqual({
      kind: 'command',
      line: 'python3 make.py --size 512',
    });
    expect(() => readProvider('midjourney')).toThrow(/Expected one of automatic1111, comfyui/);
  });
});
