namespace FastTests.Documents.Series;

/// <summary>Roll-up and retention in the simplest form: all frames are made again from all points.</summary>
internal sealed class RollupModel(params RollupModel.Policy[] policies)
{
    private const int Columns = 5;

    private readonly Dictionary<(string, string), long> _retired = [];

    /// <summary>The same as it is now.</summary>
    internal RollupModel Copy()
    {
        var copy = new RollupModel(policies);
        foreach (((string, string) key, long retired) in _retired)
        {
            copy._retired[key] = retired;
        }

        return copy;
    }

    /// <summary>Forgets what was retired of a document that was deleted.</summary>
    internal void Forget(Func<string, bool> isGone)
    {
        foreach ((string, string) key in _retired.Keys.Where(key => isGone(key.Item1)).ToList())
        {
            _retired.Remove(key);
        }
    }

    /// <summary>Brings the series of a model to what they are at a time.</summary>
    internal void Sweep(SeriesModel model, long now)
    {
        foreach (string id in model.Documents.ToList())
        {
            foreach (string name in model.NamesOf(id).Select(name => name.Split('@')[0]).Distinct().ToList())
            {
                for (int level = 0; level < policies.Length; level++)
                {
                    Sweep(model, id, name, level, now);
                }
            }
        }

        model.DropEmpty();
    }

    private void Sweep(SeriesModel model, string id, string name, int level, long now)
    {
        string source = name + policies[level].Suffix;
        SortedList<long, SeriesModel.Point> points = model.Of(id, source);
        long retired = _retired.GetValueOrDefault((id, source));
        long frame = level + 1 < policies.Length ? policies[level + 1].Frame : 0;
        if (frame != 0)
        {
            SortedList<long, SeriesModel.Point> target = model.Of(id, name + policies[level + 1].Suffix);
            long end = now / frame * frame;
            foreach (long time in target.Keys.Where(time => time >= retired && time < end).ToList())
            {
                target.Remove(time);
            }

            foreach (IGrouping<long, KeyValuePair<long, SeriesModel.Point>> one in points
                .Where(point => point.Key >= retired && point.Key < end).GroupBy(point => point.Key / frame * frame))
            {
                target[one.Key] = Roll([.. one.Select(point => point.Value.Values)], level != 0);
            }
        }

        if (policies[level].Kept is not { } kept || points.Count == 0)
        {
            return;
        }

        long cut = frame == 0 ? now - kept : (now - kept) / frame * frame;
        if (points.Keys[0] < cut)
        {
            _retired[(id, source)] = Math.Max(retired, cut);
            foreach (long time in points.Keys.Where(time => time < cut).ToList())
            {
                points.Remove(time);
            }
        }
    }

    private static SeriesModel.Point Roll(double[][] points, bool isOfRollup)
    {
        int step = isOfRollup ? 6 : 1;
        int columns = Math.Min(Columns, points.Max(point => point.Length / step));
        List<double> values = [];
        for (int i = 0; i < columns; i++)
        {
            double[][] parts = [.. points.Where(point => point.Length / step > i)
                .Select(point => isOfRollup
                    ? point[(i * 6)..((i + 1) * 6)]
                    : [point[i], point[i], point[i], point[i], point[i], 1])];
            double sum = parts[0][4];
            double least = parts[0][2];
            double greatest = parts[0][3];
            foreach (double[] part in parts[1..])
            {
                sum += part[4];
                least = Math.Min(least, part[2]);
                greatest = Math.Max(greatest, part[3]);
            }

            values.AddRange([
                parts[0][0], parts[^1][1], least, greatest, Math.Clamp(sum, double.MinValue, double.MaxValue),
                parts.Sum(part => part[5])]);
        }

        return new SeriesModel.Point([.. values], "");
    }

    /// <param name="Suffix">What the names of its series end with.</param>
    /// <param name="Frame">The length of its frames in ms.</param>
    /// <param name="Kept">How long its points are kept.</param>
    internal sealed record Policy(string Suffix, long Frame, long? Kept);
}
