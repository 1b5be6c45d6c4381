using System.Globalization;

namespace Raven.Server.Options;

/// <summary>The keys of the options of OpenTelemetry.</summary>
internal static class TelemetryOptionKeys
{
    internal static OptionKey[] All() =>
    [
        Switch("Enabled", "Whether traces, metrics and logs are sent to a collector of OpenTelemetry.",
            (t, on) => t with { IsEnabled = on }, t => t.IsEnabled),
        Text("ServiceName", "text", "The name of the service in what is sent.",
            (t, v) => t with { ServiceName = v.Length == 0 ? "raven" : v }, t => t.ServiceName),
        Text("ServiceNamespace", "text or empty", "Its namespace.",
            (t, v) => t with { ServiceNamespace = v }, t => t.ServiceNamespace),
        Text("ServiceInstanceId", "text or empty", "Which of several servers this is; its url if it is empty.",
            (t, v) => t with { ServiceInstanceId = v }, t => t.ServiceInstanceId),
        Text("Endpoint", "url or empty",
            "The collector; http://localhost:4317 for Grpc, http://localhost:4318 for HttpProtobuf if it is empty.",
            (t, v) => t with { Endpoint = Url(v) }, t => t.Endpoint?.OriginalString ?? ""),
        Text("Headers", "name=value with commas between them, or empty", "Headers of what is sent. Not shown.",
            (t, v) => t with { Headers = Headers(v) }, t => t.Headers.Length == 0 ? "" : SecurityOptionKeys.Hidden),
        Text("Protocol", "Grpc, HttpProtobuf", "How it is sent.",
            (t, v) => t with { IsGrpc = IsGrpc(v) }, t => t.IsGrpc ? "Grpc" : "HttpProtobuf"),
        Switch("Traces.Enabled", "Whether spans are sent: of requests, queries, batches of indexes, commits, backups.",
            (t, on) => t with { HasTraces = on }, t => t.HasTraces),
        Text("SampleRatio", "0 to 1", "Which part of all traces is sent, whatever a request asks for.",
            (t, v) => t with { SampleRatio = Ratio(v) },
            t => t.SampleRatio.ToString("R", CultureInfo.InvariantCulture)),
        Switch("Meters.Enabled", "Whether metrics of requests and databases are sent.",
            (t, on) => t with { HasMeters = on }, t => t.HasMeters),
        Switch("Meters.RuntimeInstrumentation.Enabled", "Whether those of the .NET runtime are sent, too.",
            (t, on) => t with { HasRuntimeMeters = on }, t => t.HasRuntimeMeters),
        Text("Meters.IntervalInSec", "seconds", "How often metrics are sent.",
            (t, v) => t with { MeterInterval = TimeSpan.FromSeconds(OptionTable.Number(v, 1, 3600)) },
            t => OptionTable.Text((long)t.MeterInterval.TotalSeconds)),
        Switch("Logs.Enabled", "Whether lines of the log are sent.",
            (t, on) => t with { HasLogs = on }, t => t.HasLogs),
    ];

    private static OptionKey Switch(
        string name, string help, Func<TelemetryOptions, bool, TelemetryOptions> set,
        Func<TelemetryOptions, bool> get) =>
        Text(name, "true, false", help, (t, v) => set(t, OptionTable.Bool(v)), t => OptionTable.Text(get(t)));

    private static OptionKey Text(
        string name, string values, string help, Func<TelemetryOptions, string, TelemetryOptions> set,
        Func<TelemetryOptions, string> get) => new(
        "Monitoring.OpenTelemetry." + name, values, help,
        (o, v) => o with { Telemetry = set(o.Telemetry, v) }, o => get(o.Telemetry));

    private static Uri? Url(string text) => text.Length == 0
        ? null
        : Uri.TryCreate(text, UriKind.Absolute, out Uri? url) && url.Scheme is "http" or "https"
            && url.UserInfo.Length == 0
            ? url
            : throw new FormatException($"'{text}' is not the url of a collector, without a name and password.");

    private static string Headers(string text)
    {
        foreach (string header in text.Split(',', StringSplitOptions.RemoveEmptyEntries))
        {
            if (header.IndexOf('=', StringComparison.Ordinal) <= 0)
            {
                // It may be a secret: it is not repeated.
                throw new FormatException("A header is no name=value.");
            }
        }

        return text;
    }

    private static bool IsGrpc(string text) =>
        text.Equals("Grpc", StringComparison.OrdinalIgnoreCase)
        || (text.Equals("HttpProtobuf", StringComparison.OrdinalIgnoreCase)
            ? false
            : throw new FormatException($"'{text}' is neither Grpc nor HttpProtobuf."));

    private static double Ratio(string text) =>
        double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double ratio)
            && ratio is >= 0 and <= 1
            ? ratio
            : throw new FormatException($"'{text}' is not a number from 0 to 1.");
}
