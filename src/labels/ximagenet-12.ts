/** The classes of XIMAGENET-12, sorted by wnid; the paper numbers them 0 to 11 in this order. */
export const ximagenet12Wnids = [
  'n01689811',
  'n01693334',
  'n01985128',
  'n02066245',
  'n02085936',
  'n02119022',
  'n02607072',
  'n02692877',
  'n02974003',
  'n02977058',
  'n02992211',
  'n07614500',
] as const;
