/**
 * The nuisance words of ImageNet-D (Zhang et al., 2024): 468 backgrounds, 47 textures, 32 materials, as its repository
 * lists them, the backgrounds without their suffix.
 */
const words = (text: string): readonly string[] => text.trim().split(/\s+/);

export const textures = words(`
blotchy dotted banded striped bumpy smeared knitted porous pitted fibrous veined perforated woven meshed
crosshatched sprinkled polka-dotted marbled stained grid gauzy interlaced frilly zigzagged spiralled swirly cracked
studded matted flecked potholed scaly stratified braided lined wrinkled paisley waffled freckled honeycombed
lacelike chequered crystalline bubbly grooved pleated cobwebbed
`);

export const materials = words(`
wood painted fabric glass metal tile carpet plastic-opaque granite ceramic paper food leather plastic-clear laminate
mirror brick wallpaper hair skin cardboard wicker concrete rock fur rubber foliage linoleum sky water blackboard
fire
`);

export const backgrounds = words(`
street bedroom living_room bathroom kitchen dining_room skyscraper highway building_facade conference_room
hotel_room mountain_snowy office corridor airport_terminal game_room waiting_room home_office poolroom-home
art_studio attic forest-broadleaf park mountain coast alley parlor closet beach childs_room art_gallery
apartment_building-outdoor castle staircase pasture dorm_room nursery garage-indoor lobby reception bar
forest-needleleaf warehouse-indoor bakery-shop roundabout house casino-indoor classroom field-cultivated bridge
river youth_hostel field-wild lighthouse creek museum-indoor window_seat shoe_shop amusement_park dinette-vehicle
lake-natural dinette-home cockpit jacuzzi-indoor playroom valley parking_lot tower auditorium beauty_salon wet_bar
artists_loft balcony-interior arrival_gate-outdoor plaza playground hill clothing_store pantry bow_window-indoor
utility_room galley basement bookstore abbey golf_course supermarket hallway market-outdoor laundromat
greenhouse-indoor subway_interior gazebo-exterior ballroom alcove doorway-indoor bus_interior access_road archive
landing_deck waterfall-block gymnasium-indoor office_building ocean cathedral-indoor badlands forest_path
baggage_claim home_theater toyshop harbor library-indoor dentists_office bowling_alley amusement_arcade restaurant
fastfood_restaurant poolroom-establishment church-indoor auto_showroom gas_station theater-indoor_procenium
construction_site fairway parking_garage-indoor yard courthouse bow_window-outdoor driveway water_tower
cubicle-office computer_room music_studio amphitheater airplane_cabin campus kindergarden_classroom
control_tower-outdoor ball_pit desert-sand cloister-indoor weighbridge swimming_pool-outdoor
wine_cellar-barrel_storage delicatessen shopping_mall-indoor restaurant_patio berth swimming_pool-indoor
waterfall-fan videostore cemetery reading_room geodesic_dome-outdoor windmill ice_skating_rink-indoor atrium-public
courtroom dining_car day_care_center movie_theater-indoor mansion jail_cell sauna mosque-outdoor lecture_room
campsite doorway-outdoor church-outdoor inn-indoor hospital_room florist_shop-indoor aqueduct shower forest_road
cabin-outdoor operating_room inn-outdoor crosswalk sandbox hayfield snowfield planetarium-outdoor slum islet
shopfront television_studio locker_room barn botanical_garden carrousel subway_station-corridor rope_bridge
hunting_lodge-outdoor kasbah marsh auto_factory balcony-exterior chicken_coop-outdoor ski_resort diner-outdoor
corn_field kitchenette village monastery-outdoor courtyard martial_arts_gym fountain outhouse-outdoor donjon runway
viaduct baptistry-outdoor kiosk-indoor farm escalator-indoor ruin moor art_school hospital pulpit arch wheat_field
garage-outdoor airport canyon corral bleachers-outdoor stage-indoor medina kennel-indoor bank-outdoor
car_interior-backseat desert-vegetation hot_spring sandbar dolmen vegetable_garden elevator-interior embassy
covered_bridge-exterior casino-outdoor observatory-outdoor dacha cathedral-outdoor fire_escape candy_store
town_house bus_depot-outdoor jewelry_shop palace mountain_path cavern-indoor jail-indoor conference_center
moat-water fence movie_theater-outdoor bazaar-indoor wrestling_ring-indoor badminton_court-outdoor vineyard
temple-east_asia podium-indoor kennel-outdoor booth-indoor watchtower hangar-indoor irrigation_ditch elevator_lobby
dam crevasse convenience_store-outdoor ghost_town greenhouse-outdoor boathouse junk_pile orchard excavation ranch
oast_house kiosk-outdoor canal-urban ski_slope sacristy mountain_road motel student_residence
nuclear_power_plant-outdoor stadium-baseball boxing_ring flood airport-entrance fitting_room-exterior
wine_cellar-bottle_storage lift_bridge fitting_room-interior hotel-outdoor carport-outdoor ice_cream_parlor
subway_station-platform ranch_house estuary baptistry-indoor water_mill coffee_shop mosque-indoor canal-natural
downtown waterfall-cascade military_hut hacienda guardhouse apse-indoor pagoda shed chalet topiary_garden oasis
library-outdoor general_store-outdoor bank-indoor manufactured_home dugout bog workshop cloister-outdoor
firing_range-outdoor herb_garden cargo_container_interior volleyball_court-outdoor synagogue-outdoor
spa-massage_room elevator_shaft industrial_area train_station-outdoor baseball_field lagoon barbershop savanna lawn
labyrinth-indoor bullring market-indoor catwalk cottage_garden parking_garage-outdoor elevator-freight_elevator
ice_skating_rink-outdoor hat_shop witness_stand butchers_shop lido_deck-outdoor flight_of_stairs-urban formal_garden
escalator-outdoor assembly_line moon_bounce hut anechoic_chamber beach_house driving_range-outdoor food_court mine
road_cut airport_ticket_counter industrial_park sun_deck carport-freestanding elevator-door dining_hall manhole
batters_box checkout_counter natural_history_museum bullpen junkyard japanese_garden granary museum-outdoor
bazaar-outdoor zen_garden bedchamber air_base banquet_hall cubicle-library cabana limousine_interior chapel hoodoo
building_complex control_tower-indoor canteen cafeteria cheese_factory badminton_court-indoor hot_tub-indoor
watering_hole cottage gulch car_dealership basketball_court-outdoor choir_loft-exterior archaelogical_excavation
jail-outdoor earth_fissure nunnery convenience_store-indoor bleachers-indoor clean_room funeral_chapel backstairs
hedge_maze gift_shop aquatic_theater labyrinth-outdoor flight_of_stairs-natural fishpond drainage_ditch fire_station
signal_box lake-artificial liquor_store-outdoor newsstand-outdoor fort barnyard brewery-outdoor mission
hotel_breakfast_area quadrangle call_center hangar-outdoor jacuzzi-outdoor bus_shelter loading_dock
auto_mechanics-indoor pilothouse-indoor beer_garden catacomb football_field bayou covered_bridge-interior joss_house
bistro-indoor cardroom hot_tub-outdoor landing bakery-kitchen heliport dirt_track pub-outdoor circus_tent-outdoor
bank_vault imaret basketball_court-indoor liquor_store-indoor lean-to mausoleum rubble hunting_lodge-indoor butte
throne_room field_road tearoom florist_shop-outdoor moat-dry freeway fjord
`);
