using System.Globalization;
using System.Text.RegularExpressions;

namespace FastTests.Server.Monitoring;

/// <summary>A page of metrics, read as strictly as Prometheus reads it.</summary>
internal sealed partial class MetricsPage
{
    private readonly Dictionary<string, string> _types = [];
    private readonly Dictionary<string, double> _series = [];

    /// <summary>The names, as they are declared.</summary>
    internal IReadOnlyCollection<string> Names => _types.Keys;

    /// <summary>The values by name and labels.</summary>
    internal IReadOnlyDictionary<string, double> Series => _series;

    /// <summary>The value of one series.</summary>
    internal double this[string series] => _series[series];

    internal static MetricsPage Parse(string text)
    {
        Assert.EndsWith("\n", text, StringComparison.Ordinal);
        var page = new MetricsPage();
        string name = "";
        string helped = "";
        foreach (string line in text.TrimEnd('\n').Split('\n'))
        {
            if (Help().Match(line) is { Success: true } help)
            {
                helped = help.Groups[1].Value;
                continue;
            }

            if (Type().Match(line) is { Success: true } type)
            {
                name = type.Groups[1].Value;
                Assert.Equal(helped, name);
                Assert.True(page._types.TryAdd(name, type.Groups[2].Value), $"{name} is declared twice.");
                continue;
            }

            Match series = One().Match(line);
            Assert.True(series.Success, $"This is no series: {line}");
            string suffix = series.Groups[1].Value[name.Length..];
            Assert.StartsWith(name, series.Groups[1].Value, StringComparison.Ordinal);
            Assert.Contains(suffix, page._types[name] == "histogram" ? ["_bucket", "_sum", "_count"] : new[] { "" });
            Assert.True(
                page._types[name] != "counter" || name.EndsWith("_total", StringComparison.Ordinal),
                $"The counter {name} does not end with _total.");
            string key = series.Groups[1].Value + series.Groups[2].Value;
            Assert.True(
                page._series.TryAdd(key, double.Parse(series.Groups[3].Value, CultureInfo.InvariantCulture)),
                $"{key} is there twice.");
        }

        return page;
    }

    [GeneratedRegex("^# HELP ([a-z_:][a-z0-9_:]*) [A-Z0-9/].*[.a-z]$")]
    private static partial Regex Help();

    [GeneratedRegex("^# TYPE ([a-z_:][a-z0-9_:]*) (gauge|counter|histogram)$")]
    private static partial Regex Type();

    [GeneratedRegex(
        """^([a-z_:][a-z0-9_:]*)(\{(?:[a-z_]+="(?:[^"\\\n]|\\[\\"n])*"(?:,(?!\})|(?=\})))+\})? (-?[0-9.E+-]+)$""")]
    private static partial Regex One();
}
