"""Writes the trained model as the folder that ships, and compares every file's answers with PyTorch's.

    python ship.py --unet ema.pt --vae vae.pt --out benchmark/diffusion/model
"""
import argparse
import json
from pathlib import Path

import numpy as np
import torch

from captions import caption_words
from export import answers, shrink, to_onnx
from model import CONTEXT, SCALING, SCHEDULE, VAE_WIDTHS
from sample import load

SCHEDULER = {
    '_class_name': 'DPMSolverMultistepScheduler', '_diffusers_version': '0.30.0', **SCHEDULE, 'algorithm_type': 'dpmsolver++', 'solver_order': 2, 'solver_type': 'midpoint',
    'lower_order_final': True, 'euler_at_final': False, 'final_sigmas_type': 'zero', 'use_karras_sigmas': True, 'timestep_spacing': 'linspace', 'steps_offset': 0, 'thresholding': False, 'trained_betas': None,
}
INDEX = {
    '_class_name': 'OnnxStableDiffusionPipeline', '_diffusers_version': '0.30.0', 'feature_extractor': [None, None], 'requires_safety_checker': False, 'safety_checker': [None, None],
    'scheduler': ['diffusers', SCHEDULER['_class_name']], 'text_encoder': ['diffusers', 'OnnxRuntimeModel'], 'tokenizer': ['transformers', 'CLIPTokenizer'],
    'unet': ['diffusers', 'OnnxRuntimeModel'], 'vae_decoder': ['diffusers', 'OnnxRuntimeModel'], 'vae_encoder': ['diffusers', 'OnnxRuntimeModel'],
    # What suits this model, and all the words it knows: read by src/generate/diffusion, passed over by others.
    '_sceneshift': {'steps': 12, 'guidance': 2.0, 'words': caption_words()},
}


class Text(torch.nn.Module):
    def __init__(self, encoder):
        super().__init__()
        self.encoder = encoder

    def forward(self, input_ids):
        return self.encoder(input_ids)[:2]


def write_json(path, value):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + '\n')


def compare(name, network, path, **inputs):
    with torch.no_grad():
        wanted = network(*(torch.tensor(value) for value in inputs.values()))
    wanted = (wanted[0] if isinstance(wanted, tuple) else wanted).numpy()
    got = answers(path, **inputs)[0]
    gap = np.abs(got - wanted).max() / wanted.std()
    print(f'{name}: {path.stat().st_size / 1e6:.2f} MB, largest difference {gap:.1e} of the standard deviation')
    assert gap < 1e-3, name


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--unet', type=Path, required=True)
    parser.add_argument('--vae', type=Path, required=True)
    parser.add_argument('--out', type=Path, required=True)
    options = parser.parse_args()
    tokenizer, unet, text, encoder, decoder = load(options.unet, options.vae, 'cpu')
    out, pixels, space = options.out, {0: 'batch_size', 2: 'height', 3: 'width'}, np.random.default_rng(1)
    tokenizer.write(out / 'tokenizer')
    write_json(out / 'model_index.json', INDEX)
    write_json(out / 'scheduler/scheduler_config.json', SCHEDULER)
    ids = np.array([tokenizer.encode('a sandy beach at sunset')])
    latents, context = space.standard_normal((2, 4, 32, 32), dtype=np.float32), space.standard_normal((2, 77, CONTEXT), dtype=np.float32)
    picture = space.uniform(-1, 1, (1, 3, 256, 256)).astype(np.float32)
    path = to_onnx(Text(text), (torch.tensor(ids),), out / 'text_encoder/model.onnx', ['input_ids'], ['last_hidden_state', 'pooler_output'], {'input_ids': {0: 'batch_size', 1: 'sequence_length'}})
    shrink(path, 8)
    compare('text encoder', Text(text), path, input_ids=ids)
    dynamic = {'sample': pixels, 'timestep': {0: 'steps'}, 'encoder_hidden_states': {0: 'batch_size', 1: 'sequence_length'}, 'out_sample': pixels}
    path = to_onnx(unet, (torch.tensor(latents), torch.tensor([500]), torch.tensor(context)), out / 'unet/model.onnx', ['sample', 'timestep', 'encoder_hidden_states'], ['out_sample'], dynamic)
    shrink(path, 8)
    compare('unet', unet, path, sample=latents, timestep=np.array([500]), encoder_hidden_states=context)
    path = to_onnx(encoder, (torch.tensor(picture),), out / 'vae_encoder/model.onnx', ['sample'], ['latent_parameters'], {'sample': pixels, 'latent_parameters': pixels})
    shrink(path)
    compare('encoder', encoder, path, sample=picture)
    path = to_onnx(decoder, (torch.tensor(latents[:1]),), out / 'vae_decoder/model.onnx', ['latent_sample'], ['sample'], {'sample': pixels, 'latent_sample': pixels})
    shrink(path)
    compare('decoder', decoder, path, latent_sample=latents[:1] / np.float32(SCALING))
    write_json(out / 'text_encoder/config.json', {'architectures': ['CLIPTextModel'], 'model_type': 'clip_text_model', 'hidden_size': CONTEXT, 'num_hidden_layers': 4, 'num_attention_heads': 4, 'max_position_embeddings': tokenizer.length, 'vocab_size': len(tokenizer.vocabulary), 'bos_token_id': tokenizer.start, 'eos_token_id': tokenizer.end})
    write_json(out / 'unet/config.json', {'_class_name': 'UNet2DConditionModel', '_diffusers_version': '0.30.0', 'in_channels': 4, 'out_channels': 4, 'sample_size': 32, 'cross_attention_dim': CONTEXT})
    for name in ('vae_encoder', 'vae_decoder'):
        write_json(out / name / 'config.json', {'_class_name': 'AutoencoderKL', '_diffusers_version': '0.30.0', 'latent_channels': 4, 'sample_size': 256, 'scaling_factor': SCALING, 'block_out_channels': list(VAE_WIDTHS)})
    print(f'{sum(each.stat().st_size for each in out.rglob("*") if each.is_file()) / 1e6:.2f} MB together')


if __name__ == '__main__':
    main()
