import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Tool } from '@lendtools/contracts';
import { type CatalogService, startCatalogForTest } from '../../../test/catalog-service.ts';

/** The tools on offer: name and description. */
const shelf: Record<string, string> = {
  'Cordless Drill 18 V': 'Two batteries and a case.',
  'SDS Hammer Drill': 'For concrete and brick. Bring your own bits.',
  'Impact Driver': 'Drives long screws into studs.',
  'Circular Saw, 7-1/4 in': 'New blade, rip fence included.',
  'Table Saw with Stand': 'Cuts sheets of plywood.',
  'Electric Chainsaw, 16 in': 'Bar oil included.',
  'Compound Miter Saw': 'For trim and crown molding.',
  Jigsaw: 'Curves in wood and plastic.',
  'Random Orbit Sander': 'With twenty discs.',
  'Belt Sander': 'Takes off old varnish fast.',
  'Angle Grinder': 'With a guard and three discs.',
  'Extension Ladder, 24 ft': 'Fiberglass, reaches a gutter.',
  'Folding Step Ladder': 'Five steps, light enough for one hand.',
  'Aluminum Scaffold Tower': 'Twelve feet high, on wheels.',
  'Gas Pressure Washer': 'Cleans a driveway in an hour.',
  'Carpet Cleaner': 'Gets wine out. Use your own soap.',
  'Shop Vacuum, 12 gal': 'Wet and dry.',
  'Wallpaper Steamer': 'Strips a room in an afternoon.',
  'Lawn Mower, self-propelled': 'Starts at the first pull.',
  'String Trimmer': 'Runs on a battery, charger included.',
  'Hedge Trimmer': 'For hedges up to an inch thick.',
  'Leaf Blower': 'Quiet enough for Sundays.',
  Rototiller: 'Turns a garden bed in minutes.',
  'Log Splitter, 27 ton': 'Splits oak without a fuss.',
  'Post Hole Digger': 'By hand, for fence posts.',
  Wheelbarrow: 'Steel tray and a strong tire.',
  'Snow Blower, two stage': 'For long driveways.',
  'Portable Generator, 3 kW': 'Runs a fridge and a few lamps.',
  'Air Compressor, 6 gal': 'With a nail gun hose.',
  'Framing Nailer': 'Takes strips of 28 degrees.',
  'Concrete Mixer': 'Three cubic feet.',
  'Plate Compactor': 'For pavers and gravel.',
  'Tile Saw, wet': 'Diamond blade, cuts porcelain.',
  'Paint Sprayer, airless': 'A fence in a morning.',
  'Roller and Tray Set': 'For walls and ceilings, with a pole.',
  'Self-Leveling Laser Level': 'Green beam, tripod included.',
  'Stud Finder': 'Finds wires too.',
  'Digital Multimeter': 'True RMS, with probes.',
  'Socket Wrench Set': 'Metric and imperial, 96 pieces.',
  'Pipe Wrench, 18 in': 'For stubborn fittings.',
  'Drain Snake, 50 ft': 'For clogged sinks and tubs.',
  'Floor Jack, 3 ton': 'Low profile, fits under most cars.',
  'Tow Strap': 'Thirty feet, for five tons.',
  'Appliance Dolly': 'Straps and stair rails.',
  'Kettle Grill, 22 in': 'Charcoal, with a lid.',
  'Pop-up Canopy, 10x10': 'Shade for a party.',
  'HD Projector and Screen': 'A hundred inches in the yard.',
  'PA Speaker, pair': 'Loud enough for a wedding.',
  'Tandem Kayak': 'Two paddles, two vests.',
  'Cargo Bike': 'Carries two kids or a week of groceries.',
};
type Name = keyof typeof shelf;

/** Queries and the tools expected on the first page, with the first-named tool on top. */
const table: [query: string, ...wanted: Name[]][] = [
  // Queries with a name as written, a part of a name, or another form.
  ['cordless drill', 'Cordless Drill 18 V'],
  ['drill', 'SDS Hammer Drill', 'Cordless Drill 18 V'],
  ['ladders', 'Folding Step Ladder', 'Extension Ladder, 24 ft'],
  ['SAW', 'Tile Saw, wet', 'Compound Miter Saw', 'Table Saw with Stand', 'Jigsaw'],
  ['table saw', 'Table Saw with Stand'],
  ['sanders', 'Belt Sander', 'Random Orbit Sander'],
  ['wrench', 'Pipe Wrench, 18 in', 'Socket Wrench Set'],
  ['the angle grinder', 'Angle Grinder'],
  ['mowers', 'Lawn Mower, self-propelled'],
  ['24 ft ladder', 'Extension Ladder, 24 ft'],
  ['wet saw', 'Tile Saw, wet'],
  ['plate', 'Plate Compactor'],
  // Queries with an incomplete word.
  ['wheelb', 'Wheelbarrow'],
  ['comp', 'Plate Compactor', 'Air Compressor, 6 gal', 'Compound Miter Saw'],
  ['pressure wa', 'Gas Pressure Washer'],
  ['multim', 'Digital Multimeter'],
  // Queries with a synonym.
  ['power washer', 'Gas Pressure Washer'],
  ['weed whacker', 'String Trimmer'],
  ['skil saw', 'Circular Saw, 7-1/4 in'],
  ['chop saw', 'Compound Miter Saw'],
  ['rotary hammer', 'SDS Hammer Drill'],
  ['shop vac', 'Shop Vacuum, 12 gal'],
  ['tiller', 'Rototiller'],
  ['cement mixer', 'Concrete Mixer'],
  ['nail gun', 'Framing Nailer'],
  ['fence post digger', 'Post Hole Digger'],
  ['hand truck', 'Appliance Dolly'],
  ['bbq', 'Kettle Grill, 22 in'],
  ['gazebo', 'Pop-up Canopy, 10x10'],
  ['bicycle', 'Cargo Bike'],
  ['beamer', 'HD Projector and Screen'],
  ['spanner', 'Pipe Wrench, 18 in', 'Socket Wrench Set'],
  ['genset', 'Portable Generator, 3 kW'],
  ['wood splitter', 'Log Splitter, 27 ton'],
  ['stepladder', 'Folding Step Ladder', 'Extension Ladder, 24 ft'],
  // Queries with a word of the description.
  ['driveway', 'Snow Blower, two stage', 'Gas Pressure Washer'],
  ['battery', 'String Trimmer', 'Cordless Drill 18 V'],
  ['concrete', 'Concrete Mixer', 'SDS Hammer Drill'],
  ['fiberglass ladder', 'Extension Ladder, 24 ft'],
  ['clogged sink', 'Drain Snake, 50 ft'],
  // Queries with a misspelt word.
  ['lader', 'Folding Step Ladder', 'Extension Ladder, 24 ft'],
  ['chiansaw', 'Electric Chainsaw, 16 in'],
  ['presure wahser', 'Gas Pressure Washer'],
  ['wheelbarow', 'Wheelbarrow'],
  ['genarator', 'Portable Generator, 3 kW'],
  ['cordles dril', 'Cordless Drill 18 V'],
  ['projecter', 'HD Projector and Screen'],
  ['kyak', 'Tandem Kayak'],
  ['bosch leaf blowr', 'Leaf Blower'],
  ['red wheelbarrow', 'Wheelbarrow'],
];

let catalog: CatalogService;
beforeAll(async () => {
  catalog = await startCatalogForTest({ RATE_LIMIT_FACTOR: '10' });
  const owner = await catalog.addOwner();
  const categoryId = await catalog.addCategory();
  for (const [name, description] of Object.entries(shelf)) {
    await catalog.addTool(owner, { name, description, categoryId });
  }
});
afterAll(() => catalog.stop());

describe('the search', () => {
  it.each(table)(
    'shows the expected tools on the first page for "%s"',
    async (query, ...wanted) => {
      const path = `/api/all-rentals?limit=10&q=${encodeURIComponent(query)}`;
      const { body } = await catalog.http.get(path);

      const names = body.rentals.map(({ name }: Tool) => name);
      expect(names).toEqual(expect.arrayContaining(wanted));
      expect(wanted).toContain(names[0]);
    },
  );
});
