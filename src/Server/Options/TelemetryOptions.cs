namespace Raven.Server.Options;

/// <summary>What is sent to a collector of OpenTelemetry, and where it is. Immutable.</summary>
internal sealed record TelemetryOptions
{
    /// <summary>Whether anything is sent.</summary>
    internal bool IsEnabled { get; init; }

    /// <summary>The name of the service.</summary>
    internal string ServiceName { get; init; } = "raven";

    /// <summary>The namespace of the service; empty for none.</summary>
    internal string ServiceNamespace { get; init; } = "";

    /// <summary>The id of this server; empty for its public url.</summary>
    internal string ServiceInstanceId { get; init; } = "";

    /// <summary>The collector; null for the default of the protocol on this machine.</summary>
    internal Uri? Endpoint { get; init; }

    /// <summary>Headers of each export, <c>name=value</c> with commas between them; empty for none.</summary>
    internal string Headers { get; init; } = "";

    /// <summary>Whether the protocol is gRPC, and not protobuf over HTTP.</summary>
    internal bool IsGrpc { get; init; } = true;

    /// <summary>Whether spans are sent.</summary>
    internal bool HasTraces { get; init; } = true;

    /// <summary>Whether metrics of requests and databases are sent.</summary>
    internal bool HasMeters { get; init; } = true;

    /// <summary>Whether the metrics of the runtime are sent, too.</summary>
    internal bool HasRuntimeMeters { get; init; }

    /// <summary>Whether lines of the log are sent.</summary>
    internal bool HasLogs { get; init; }

    /// <summary>Which part of the traces is sent, 0 to 1.</summary>
    internal double SampleRatio { get; init; } = 0.01;

    /// <summary>How often metrics are sent.</summary>
    internal TimeSpan MeterInterval { get; init; } = TimeSpan.FromMinutes(1);
}
