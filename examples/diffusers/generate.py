"""Stable Diffusion through diffusers, for `sceneshift generate --provider "command:python3 examples/diffusers/generate.py MODEL"`.

Reads a line of JSON per picture, writes it to `out`, answers a line of JSON. Needs torch and diffusers, and a GPU to be quick.
"""
import json
import os
import sys

import diffusers
import torch
from diffusers import AutoPipelineForInpainting, AutoPipelineForText2Image
from PIL import Image, ImageOps

# Libraries print; only answers may go to standard output.
answers = os.fdopen(os.dup(1), 'w', buffering=1)
os.dup2(2, 1)

model = sys.argv[1] if len(sys.argv) > 1 else 'stable-diffusion-v1-5/stable-diffusion-v1-5'
device = 'cuda' if torch.cuda.is_available() else 'cpu'
paint = AutoPipelineForText2Image.from_pretrained(model, torch_dtype=torch.float16 if device == 'cuda' else torch.float32).to(device)
around = None

for line in sys.stdin:
    asked = json.loads(line)
    try:
        seeded = torch.Generator(device).manual_seed(asked['seed'])
        words = dict(prompt=asked['prompt'], negative_prompt=asked.get('negative') or None, generator=seeded)
        if asked.get('image'):
            around = around or AutoPipelineForInpainting.from_pipe(paint)
            image = Image.open(asked['image']).convert('RGB')
            # White is painted here; `keep` is white on the object.
            mask = ImageOps.invert(Image.open(asked['keep']).convert('L')) if asked.get('keep') else Image.new('L', image.size, 255)
            made = around(**words, image=image, mask_image=mask, strength=asked.get('strength') or 1.0).images[0].resize(image.size)
        else:
            made = paint(**words, width=asked.get('width') or 512, height=asked.get('height') or 512).images[0]
        made.save(asked['out'])
        answers.write(json.dumps({'id': asked['id'], 'model': model, 'version': f'diffusers {diffusers.__version__}'}) + '\n')
    except Exception as error:
        answers.write(json.dumps({'id': asked['id'], 'error': str(error)}) + '\n')
