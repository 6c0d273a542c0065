/** Facts from `preprocessing/imgnet_d2imgnet_id.txt` of chenshuang-zhang/imagenet_d: category, accepted ImageNet-1k indices. */
const categories = `
alarm_clock 409/530; backpack 414; banana 954; band_aid 419; bath_towel 434; beer_bottle 440; bench 703; bicycle 671/444;
binder_closed 446; bottle_cap 455; bread_loaf 930; broom 462; bucket 463; can_opener 473; candle 470; cellphone 487;
chair 423/559/765; cleaver 499; clothes_hamper 588; coffee_or_french_press 550; combination_lock 507; computer_mouse 673;
desk_lamp 846; dishcloth 533; doormat 539; dress_shoe_men 630; drill 740; drying_rack_for_plates 729; envelope 549; fan 545;
frying_pan 567; gown 578; hair_dryer 589; hammer 587; helmet 560/518; iron_for_clothes 606; jeans 608; keyboard 508;
ladle 618; lampshade 619; laptop_open 620; lemon 951; letter_opener 623; lighter 626; lipstick 629; matchstick 644;
measuring_cup 647; microwave 651; mixing_or_salad_bowl 659; monitor 664; mug 504; nail_fastener 677; necklace 679;
orange 950; padlock 695; paintbrush 696; paper_towel 700; pen 418/749/563; pill_bottle 720; pillow 721; pitcher 725;
plastic_bag 728; plate 923; plunger 731; pop_can 737; portable_heater 811; printer 742; remote_control 761; ruler 769;
running_shoe 770; safety_pin 772; salt_shaker 773; sandal 774; screw 783; shopping_basket 790; shovel 792;
skirt 601/655/689; sleeping_bag 797; soap_dispenser 804; sock 806; soup_bowl 809; spatula 813; speaker 632;
still_camera 732/759; strainer 828; suit_jacket 834; sunglasses 837; sweater 841; swimming_trunks 842; t_shirt 610;
tea_cup 968; teapot 849; teddy_bear 850; tennis_racket 752; tie 457/906; toaster 859; toilet_paper_roll 999; trash_bin 412;
tray 868; tv 851; umbrella 879; vacuum_cleaner 882; vase 883; wallet 893; watch 531; water_bottle 898;
weight_exercise 543; weight_scale 778; wheel 479/694; whistle 902; wine_bottle 907; winter_glove 658; wok 909`;

/** Names that its code writes with brackets, which folders leave out (`LLaVA/compute_accuracy.py`). */
const bracketed: Readonly<Record<string, string>> = {
  binder_closed: 'binder (closed)',
  dress_shoe_men: 'dress shoe (men)',
  iron_for_clothes: 'iron (for clothes)',
  laptop_open: 'laptop (open)',
  nail_fastener: 'nail (fastener)',
  weight_exercise: 'weight (exercise)',
};

/** A category as ImageNet-D's prompts and questions write it; any other label with blanks for underscores. */
export const imagenetDName = (category: string): string => bracketed[category] ?? category.replaceAll('_', ' ');

/** ImageNet-D's 113 categories and the ImageNet-1k outputs any of which is right. */
export const imagenetDMap: ReadonlyMap<string, readonly number[]> = new Map(
  categories
    .trim()
    .split(/;\s*/)
    .map((entry) => {
      const [name, ids] = entry.split(' ');
      return [name, ids.split('/').map(Number)] as const;
    }),
);
