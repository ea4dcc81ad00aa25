// The plan of the board in millimetres, from the server.

export const plan = await (await fetch("/plan.json")).json();
export const SEATS = ["blue", "red", "green", "orange"];

// The zone in which a chip there counts, or null. For drawing only: the board decides.
export function zoneAt(x, y) {
  for (const zone of plan.zones) {
    const reach = plan.radius[zone] + plan.hole;
    if (Math.hypot(x - plan.centres[zone][0], y - plan.centres[zone][1]) <= reach) return zone;
  }
  return null;
}
