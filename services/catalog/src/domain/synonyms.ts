/**
 * Each group lists the names of one kind of tool: a search for any name finds tools with any other. A wrong synonym shows
 * wrong tools to every user who types the word. A group with one name only serves to correct misspellings of the name.
 */
const groups: string[] = [
  'cordless, battery powered, battery operated, battery',
  'corded, mains powered, plug in',
  'gas powered, gasoline, petrol',
  'pressure washer, power washer, jet washer, pressure cleaner',
  'ladder, stepladder, step ladder, extension ladder',
  'lawn mower, lawnmower, mower, grass cutter',
  'string trimmer, weed eater, weed whacker, weedeater, weedwhacker, strimmer, grass trimmer, edger',
  'hedge trimmer, hedge clipper, hedge cutter, hedge shears',
  'leaf blower, leafblower, garden blower',
  'chainsaw, chain saw',
  'reciprocating saw, sawzall, sabre saw, saber saw',
  'circular saw, skilsaw, skil saw, skillsaw',
  'jigsaw, jig saw',
  'miter saw, mitre saw, chop saw',
  'table saw, tablesaw',
  'tile cutter, tile saw, wet saw',
  'angle grinder, disc grinder, cutoff tool',
  'jackhammer, jack hammer, demolition hammer, breaker hammer, concrete breaker',
  'hammer drill, rotary hammer, sds drill, masonry drill, concrete drill',
  'impact driver, impact wrench',
  'drill, driver drill, drill driver',
  'wrench, spanner',
  'allen key, hex key, allen wrench',
  'pliers, pincers',
  'pry bar, crowbar, wrecking bar',
  'vacuum, hoover, shop vac, shopvac, wet vac',
  'carpet cleaner, carpet washer, rug cleaner, rug doctor',
  'steamer, steam cleaner, wallpaper stripper',
  'paint sprayer, spray gun, paint gun',
  'caulk gun, caulking gun, sealant gun',
  'nail gun, nailer, brad nailer, framing nailer',
  'staple gun, stapler',
  'sander, sanding machine, orbital sander, belt sander',
  'wheelbarrow, wheel barrow, barrow, garden cart',
  'hand truck, dolly, sack truck, moving dolly, trolley',
  'wood chipper, woodchipper, chipper shredder',
  'tiller, rototiller, rotavator, cultivator',
  'log splitter, wood splitter, splitting maul',
  'post hole digger, posthole digger, auger, fence post digger',
  'cement mixer, concrete mixer',
  'plate compactor, plate tamper, tamper, wacker plate',
  'generator, power station, genset',
  'air compressor, compressor',
  'work light, worklight, floodlight, flood light',
  'saw horse, sawhorse, trestle',
  'tow strap, tow rope',
  'car jack, floor jack, trolley jack',
  'multimeter, volt meter, voltmeter',
  'stud finder, wall scanner',
  'level, spirit level, laser level',
  'laser measure, distance meter, tape measure',
  'soldering iron, solder gun',
  'heat gun, hot air gun',
  'grill, barbecue, barbeque, bbq',
  'tent, canopy, gazebo, marquee',
  'projector, beamer',
  'speaker, pa system, loudspeaker',
  'excavator, digger, backhoe',
  'snow blower, snowblower, snow thrower',
  'fan, ventilator, air mover',
  'dehumidifier',
  'welder, welding machine',
  'router',
  'planer',
  'lathe',
  'clamp',
  'chisel',
  'axe, hatchet',
  'shovel, spade',
  'rake',
  'scaffold, scaffolding',
  'winch, hoist',
  'telescope',
  'kayak',
  'bike, bicycle',
];

/** Maps each name to all names of its group, split into words. */
const namesOfSame = new Map<string, string[][]>();
for (const group of groups) {
  const names = group.split(', ').map((name) => name.split(' '));
  for (const name of names) namesOfSame.set(name.join(' '), names);
}

export const longestName = Math.max(
  ...[...namesOfSame.keys()].map((name) => name.split(' ').length),
);

/** All names in the words' group, including the words themselves; undefined if they are no known name. */
export const synonymsOf = (words: string[]): string[][] | undefined =>
  namesOfSame.get(words.join(' '));

/** All words of the known names. These words count as spelt correctly. */
export const toolWords: ReadonlySet<string> = new Set(
  [...namesOfSame.keys()].flatMap((name) => name.split(' ')),
);
