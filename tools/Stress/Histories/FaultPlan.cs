namespace Raven.Tools.Stress.Histories;

/// <summary>What is done to a cluster, as a function of a seed.</summary>
internal static class FaultPlan
{
    private static readonly TimeSpan FirstAt = TimeSpan.FromSeconds(1);
    private static readonly TimeSpan LengthMin = TimeSpan.FromSeconds(0.5);
    private static readonly TimeSpan LengthMax = TimeSpan.FromSeconds(8);

    /// <summary>A fault takes at most this part of a run, and a pause half of that.</summary>
    private const double Part = 0.25;

    /// <summary>Makes a plan: each kind comes once before any comes again.</summary>
    /// <param name="seed">Decides all of it.</param>
    /// <param name="length">How long the clients run.</param>
    /// <param name="kinds">What can be done here.</param>
    internal static IReadOnlyList<Fault> Make(int seed, TimeSpan length, IReadOnlyList<FaultKind> kinds)
    {
        var random = new Random(seed);
        TimeSpan lengthMax = length * Part < LengthMax ? length * Part : LengthMax;
        List<Fault> plan = [];
        Queue<FaultKind> deck = new();
        TimeSpan at = FirstAt;
        while (at < length)
        {
            TimeSpan lasts = LengthMin + ((lengthMax - LengthMin) * random.NextDouble());
            lasts = at + lasts < length ? lasts : length - at;
            plan.Add(Draw(at, lasts));
            if (random.Next(4) == 0)
            {
                // A second one meanwhile.
                TimeSpan second = lasts * random.NextDouble() / 2;
                plan.Add(Draw(at + second, lasts - second));
            }

            at += lasts + (lengthMax / 2 * random.NextDouble());
        }

        return plan;

        Fault Draw(TimeSpan when, TimeSpan lasts)
        {
            if (deck.Count == 0)
            {
                FaultKind[] shuffled = [.. kinds];
                random.Shuffle(shuffled);
                deck = new Queue<FaultKind>(shuffled);
            }

            return new Fault(when, lasts, deck.Dequeue(), random.Next(3) > 0, random.Next());
        }
    }
}
