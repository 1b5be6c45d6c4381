using System.Globalization;
using System.Text;

namespace Raven.Server.Http.Monitoring;

/// <summary>
/// Writes metrics in Prometheus' text format 0.0.4: each name once, with all of its series behind it. One thread.
/// </summary>
internal sealed class MetricsText
{
    private const string Gauge = "gauge";
    private const string Counter = "counter";

    private readonly StringBuilder _text = new(16 * 1024);

    /// <summary>What is written.</summary>
    internal StringBuilder Text => _text;

    /// <summary>A label and its value, escaped, for the labels of a series.</summary>
    internal static string Label(string name, string value) => $"{name}=\"{Escape(value)}\"";

    /// <summary>A gauge without labels.</summary>
    internal void OneGauge(string name, string help, double value)
    {
        Head(name, Gauge, help);
        Line(name, "", value);
    }

    /// <summary>A counter without labels.</summary>
    internal void OneCounter(string name, string help, double value)
    {
        Head(name, Counter, help);
        Line(name, "", value);
    }

    /// <summary>A gauge of each of several things; nothing if there are none, and none for what has no value.</summary>
    internal void Gauges<T>(
        string name, string help, IReadOnlyList<(string Labels, T One)> all, Func<T, double?> value) =>
        Series(name, Gauge, help, all, value);

    /// <summary>A counter of each of several things; nothing if there are none, and none for what has no value.
    /// </summary>
    internal void Counters<T>(
        string name, string help, IReadOnlyList<(string Labels, T One)> all, Func<T, double?> value) =>
        Series(name, Counter, help, all, value);

    /// <summary>Begins a name whose series are written one by one.</summary>
    internal void Head(string name, string type, string help) =>
        _text.Append("# HELP ").Append(name).Append(' ').Append(help).Append("\n# TYPE ").Append(name).Append(' ')
            .Append(type).Append('\n');

    /// <summary>Writes one series.</summary>
    /// <param name="name">Its name.</param>
    /// <param name="labels">Its labels, escaped; or empty.</param>
    /// <param name="value">Its value.</param>
    internal void Line(string name, string labels, double value)
    {
        _text.Append(name);
        if (labels.Length > 0)
        {
            _text.Append('{').Append(labels).Append('}');
        }

        _text.Append(' ').Append(value.ToString("R", CultureInfo.InvariantCulture)).Append('\n');
    }

    private void Series<T>(
        string name, string type, string help, IReadOnlyList<(string Labels, T One)> all, Func<T, double?> value)
    {
        bool hasHead = false;
        foreach ((string labels, T one) in all)
        {
            if (value(one) is { } known)
            {
                if (!hasHead)
                {
                    Head(name, type, help);
                    hasHead = true;
                }

                Line(name, labels, known);
            }
        }
    }

    private static string Escape(string label) => label.AsSpan().ContainsAny('\\', '"', '\n')
        ? label.Replace("\\", "\\\\", StringComparison.Ordinal).Replace("\"", "\\\"", StringComparison.Ordinal)
            .Replace("\n", "\\n", StringComparison.Ordinal)
        : label;
}
