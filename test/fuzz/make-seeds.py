"""Whole pictures of every kind that Pillow writes, for the mutations of test/fuzz/formats. Made with Pillow 9.4.0:
python3 test/fuzz/make-seeds.py; make-seeds.mjs makes the rest. Written once, kept in test/fuzz/seeds."""
import os
from PIL import Image, ImageCms

folder = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'seeds')
W, H = 24, 16
rgb = Image.new('RGB', (W, H))
rgb.putdata([((x * 11) & 255, (y * 17) & 255, (x * y) & 255) for y in range(H) for x in range(W)])
mask = Image.new('L', (W, H))
mask.putdata([255 if 6 < x < 16 and 3 < y < 12 else 0 for y in range(H) for x in range(W)])
rgba = rgb.copy()
rgba.putalpha(mask)
turned = rgb.getexif()
turned[0x0112] = 6
turned[0x010E] = 'described'
srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile('sRGB')).tobytes()
lab = ImageCms.ImageCmsProfile(ImageCms.createProfile('LAB')).tobytes()


def save(image, name, **options):
    path = os.path.join(folder, name)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    image.save(path, **options)


save(rgb, 'jpeg/baseline.jpg', quality=70)
save(rgb, 'jpeg/progressive.jpg', quality=70, progressive=True, subsampling=0)
save(rgb.convert('L'), 'jpeg/grey.jpg')
save(rgb.convert('CMYK'), 'jpeg/cmyk.jpg')
save(rgb, 'jpeg/exif-icc.jpg', exif=turned.tobytes(), icc_profile=srgb)
save(rgb, 'jpeg/other-profile.jpg', icc_profile=lab, comment='said')

save(rgb, 'png/rgb.png')
save(rgba, 'png/rgba.png')
save(mask, 'png/grey.png')
save(mask.convert('1'), 'png/one-bit.png')
save(mask.convert('LA'), 'png/grey-alpha.png')
for bits in (1, 2, 4, 8):
    save(rgb.quantize(2 ** bits), f'png/palette-{bits}.png', bits=bits, transparency=0)
save(Image.frombytes('I;16', (W, H), bytes((i * 7) & 255 for i in range(2 * W * H))), 'png/grey-16.png')
save(rgb, 'png/exif-icc.png', exif=turned, icc_profile=srgb)
save(rgb, 'png/animated.png', save_all=True, append_images=[rgb.rotate(180)], duration=50)

save(rgb, 'webp/lossy.webp', quality=50)
save(rgb, 'webp/lossless.webp', lossless=True)
save(rgba, 'webp/alpha.webp', quality=50)
save(rgb, 'webp/exif-icc.webp', exif=turned.tobytes(), icc_profile=srgb, quality=50)
save(rgb, 'webp/animated.webp', save_all=True, append_images=[rgb.rotate(180), rgb.rotate(90)], duration=40)

for compression in ('raw', 'tiff_lzw', 'tiff_adobe_deflate', 'packbits', 'jpeg'):
    save(rgb, f'tiff/{compression}.tif', compression=compression)
save(mask.convert('1'), 'tiff/fax.tif', compression='group4')
save(rgb.convert('CMYK'), 'tiff/cmyk.tif', compression='tiff_lzw')
save(rgb.quantize(16), 'tiff/palette.tif')
save(mask.convert('F'), 'tiff/float.tif')
save(rgb, 'tiff/pages.tif', save_all=True, append_images=[rgb.rotate(90)], compression='tiff_lzw')
save(rgb, 'tiff/exif-icc.tif', icc_profile=srgb, tiffinfo={0x0112: 6})

save(rgb.quantize(64), 'gif/interlaced.gif', interlace=1)
save(rgb.quantize(8), 'gif/plain.gif', interlace=0, comment=b'said')
frames = [rgb.rotate(angle).quantize(16) for angle in (0, 90, 180)]
save(frames[0], 'gif/animated.gif', save_all=True, append_images=frames[1:], duration=60, loop=0, transparency=0)

save(rgb, 'bmp/rgb.bmp')
save(rgba, 'bmp/rgba.bmp')
save(rgb.quantize(64), 'bmp/palette.bmp')
save(mask.convert('1'), 'bmp/one-bit.bmp')
