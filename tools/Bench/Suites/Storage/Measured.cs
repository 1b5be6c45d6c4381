namespace Raven.Tools.Bench.Suites.Storage;

/// <summary>Figures that one run settles: sizes, and runs of minutes.</summary>
internal static class Measured
{
    /// <summary>The figure of the first call, given to every later one.</summary>
    internal static Func<double> Once(Func<double> measure)
    {
        var first = new Lazy<double>(measure);
        return () => first.Value;
    }
}
