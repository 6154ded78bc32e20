import type { Terms } from '@lendtools/contracts';

interface DemoCategory {
  name: string;
  /** The name of the picture files, without the number at their end. */
  picture: string;
}

export interface DemoTool {
  owner: string;
  category: string;
  name: string;
  picture: string;
  price: number;
  circle: 'daily' | 'hourly';
  quantity: number;
  description: string;
  terms: Terms;
}

export const categories: DemoCategory[] = [
  { name: 'Power Tools', picture: 'sds-hammer-drill' },
  { name: 'Hand Tools', picture: 'mechanics-wrench-set' },
  { name: 'Garden & Yard', picture: 'wheelbarrow' },
  { name: 'Ladders & Moving', picture: 'extension-ladder' },
  { name: 'Painting', picture: 'roller-and-tray' },
  { name: 'Cleaning', picture: 'pressure-washer' },
  { name: 'Camping & Outdoors', picture: 'four-person-tent' },
  { name: 'Party & Media', picture: 'pa-speaker' },
];

export const tools: DemoTool[] = [
  tool('sam', 'Power Tools', 'SDS Hammer Drill', 'sds-hammer-drill', 18, {
    text: 'Cordless, and goes through brick and old concrete without complaint: two 18 V batteries. Comes in its case with six SDS bits from 5 to 16 mm, a depth stop and a pair of ear defenders. Please brush the dust off before you bring it back.',
  }),
  tool('theo', 'Power Tools', 'Mini Excavator, 1 Ton', 'mini-excavator', 42, {
    circle: 'hourly',
    terms: { cancellation: 'strict' },
    text: 'Fits through a 36-inch gate. I show you the controls for ten minutes, and after that it is easier than it looks. Two buckets included; fuel is on me for the first hour.',
  }),
  tool('priya', 'Power Tools', 'Portable Generator, 2200 W', 'portable-generator', 34, {
    terms: { cancellation: 'moderate' },
    text: 'Quiet inverter generator: runs a fridge, lights and a laptop through an outage, or a food stall for a day. About eight hours on a tank. Comes with a spill-free gas can.',
  }),
  tool('walt', 'Power Tools', 'Solar Power Station', 'solar-power-station', 26, {
    text: 'A 1 kWh battery and a folding 100 W panel. Silent, no fumes, charges phones for a week or a cooler for a weekend.',
  }),
  tool('sam', 'Power Tools', 'Tile Saw', 'tile-saw', 32, {
    terms: { booking: 'request', cancellation: 'moderate' },
    text: 'A wet saw for tiles of up to 24 inches, with a fresh diamond blade and a stand. Straight cuts without dust; I mark the water line for you.',
  }),
  tool('sam', 'Hand Tools', "Mechanic's Wrench Set, 94 Pieces", 'mechanics-wrench-set', 12, {
    quantity: 2,
    text: 'Metric and inch sockets, ratchets, hex keys and combination wrenches, every piece in its place in the tray. I count them, you count them, we stay friends.',
  }),
  tool('ruth', 'Hand Tools', 'Framing Hammer and Pry Bar', 'framing-hammer', 6, {
    text: 'My late husband built half of this street with it. A 22-ounce framing hammer with a milled face, a flat bar and a cat’s paw for the stubborn nails.',
  }),
  tool('joan', 'Hand Tools', 'Laser Measure and Level Kit', 'laser-level-kit', 14, {
    text: 'Measures a room in a minute and throws a level line around all four walls. Tripod and fresh batteries included. Hanging forty frames took us an afternoon.',
  }),
  tool('ruth', 'Hand Tools', 'Heavy-Duty Sewing Kit', 'sewing-kit', 9, {
    text: 'For awnings, tents, boat covers and jeans: sail needles, waxed thread, awl, palm, grommet press with 200 brass grommets.',
  }),
  tool('sam', 'Garden & Yard', 'Self-Propelled Lawn Mower', 'lawn-mower', 22, {
    text: 'A cordless 21-inch mower that mulches or bags. Two batteries, so half an acre is no problem. Blade sharpened every spring.',
  }),
  tool('ruth', 'Garden & Yard', 'Wheelbarrow, 6 cu ft', 'wheelbarrow', 7, {
    quantity: 2,
    text: 'Steel tray, a tire that never goes flat. Perfect for a yard of mulch or a load of firewood. It lives by the side gate, so pick-up takes a minute.',
  }),
  tool('eli', 'Garden & Yard', 'Splitting Axe and Wedges', 'splitting-axe', 8, {
    text: 'Swedish splitting axe, two steel wedges and a sledge. Enough to turn a fallen oak into a winter of fires. Gloves and glasses in the bag.',
  }),
  tool('eli', 'Garden & Yard', 'Garden Digging Set', 'garden-digging-set', 9, {
    text: 'Round shovel, flat spade, pitchfork and a root saw: all with long ash handles, so your back thanks you on Monday.',
  }),
  tool('ruth', 'Garden & Yard', 'Post Hole Digger and Fence Kit', 'post-hole-digger', 19, {
    text: 'Manual digger, string lines, post level and a tamping bar. I set thirty cedar posts with it. Ask me how deep the frost goes here.',
  }),
  tool('sam', 'Ladders & Moving', 'Extension Ladder, 24 ft', 'extension-ladder', 15, {
    text: 'Fiberglass, safe near wires, with a stabilizer for gutters. I have roof straps if your car has a rack.',
  }),
  tool('joan', 'Ladders & Moving', 'Appliance Hand Truck', 'appliance-hand-truck', 11, {
    text: 'Moves a fridge down three flights without a scratch: strap, stair climbers, 700 pounds. Four moving blankets included.',
  }),
  tool('theo', 'Ladders & Moving', 'Electric Cargo Bike', 'cargo-bike', 9, {
    circle: 'hourly',
    text: 'Carries two kids, a week of groceries or a small sofa. Helmets in three sizes. One charge is good for forty miles, hills included.',
  }),
  tool('priya', 'Painting', 'Airless Paint Sprayer', 'paint-sprayer', 29, {
    text: 'A fence in an hour, a bedroom in twenty minutes once it is masked. Fifty feet of hose, two tips, and a cleaning guide that really works. Water-based paint only, please.',
  }),
  tool('maya', 'Painting', 'Roller and Tray Kit', 'roller-and-tray', 5, {
    text: 'Two frames, an extension pole, trays, drop cloths and a cutting-in brush. Roller sleeves are new every time and yours to keep.',
  }),
  tool('maya', 'Cleaning', 'Pressure Washer, 2000 PSI', 'pressure-washer', 24, {
    text: 'Decks, driveways and the green side of the house. Electric, twenty-five feet of hose, four nozzles; start with the white one.',
  }),
  tool('walt', 'Cleaning', 'Wallpaper and Upholstery Steamer', 'wallpaper-steamer', 13, {
    text: 'Takes off four layers of wallpaper or freshens a sofa. Heats up in eight minutes and runs for an hour.',
  }),
  tool('joan', 'Cleaning', 'Robot Floor Scrubber', 'robot-floor-scrubber', 16, {
    terms: {
      hours: { ...onWeekdays({ from: '08:00', to: '18:00' }), sunday: null },
      discounts: [
        { days: 3, percent: 10 },
        { days: 7, percent: 20 },
      ],
    },
    text: 'Let it do the hall while you do the talking. Mops and vacuums hard floors, returns to its dock, forgives cables.',
  }),
  tool('walt', 'Camping & Outdoors', 'Four-Person Tent', 'four-person-tent', 17, {
    text: 'Stood through a hailstorm on Mount Hood. Footprint, stakes and a repair kit in the sack; two people pitch it in six minutes.',
  }),
  tool('theo', 'Camping & Outdoors', 'Tandem Kayak', 'tandem-kayak', 36, {
    text: 'Stable two-seater with paddles, vests and a dry bag. Foam blocks and straps for your roof. Vancouver Lake at sunset is a ten-minute drive.',
  }),
  tool('walt', 'Camping & Outdoors', 'Backyard Telescope', 'backyard-telescope', 21, {
    text: 'An 8-inch Dobsonian: Saturn’s rings on the first evening. Comes with three eyepieces, a red light and a one-page star map.',
  }),
  tool('eli', 'Camping & Outdoors', 'Kettle Grill with Rotisserie', 'kettle-grill', 18, {
    text: 'Feeds a block party. Rotisserie motor, chimney starter and a bag of oak. Bring it back warm, not dirty.',
  }),
  tool('priya', 'Party & Media', 'Full HD Projector and Screen', 'projector-and-screen', 25, {
    text: 'Movie night on the garage door: bright projector, a 100-inch folding screen, all the cables, and a speaker if you ask.',
  }),
  tool('joan', 'Party & Media', 'PA Speaker with Two Microphones', 'pa-speaker', 31, {
    terms: { cancellation: 'flexible' },
    text: 'For weddings, block meetings and the bravest kind of karaoke. Bluetooth, eight hours of battery, two wireless microphones.',
  }),
];

function onWeekdays(hours: { from: string; to: string }): Terms['hours'] {
  return { monday: hours, tuesday: hours, wednesday: hours, thursday: hours, friday: hours };
}

function tool(
  owner: string,
  category: string,
  ...[name, picture, price, rest]: [
    string,
    string,
    number,
    { text: string; circle?: 'hourly'; quantity?: number; terms?: Terms },
  ]
): DemoTool {
  const { text: description, circle = 'daily', quantity = 1 } = rest;
  const terms = { staysListed: true, ...rest.terms };
  return { owner, category, name, picture, price, circle, quantity, description, terms };
}
