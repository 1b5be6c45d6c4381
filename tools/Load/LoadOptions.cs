namespace Raven.Tools.Load;

/// <summary>What to send, how often and from how many connections.</summary>
public sealed record LoadOptions
{
    /// <summary>The address of the server.</summary>
    public required System.Net.IPEndPoint Server { get; init; }

    /// <summary>The requests; client i begins with number i modulo their count and takes them in turn.</summary>
    public required IReadOnlyList<RequestTemplate> Requests { get; init; }

    /// <summary>Connections, each with one request under way at a time.</summary>
    public int Clients { get; init; } = 100;

    /// <summary>Requests of each client; 0 when only the time ends the run.</summary>
    public long RequestsPerClient { get; init; }

    /// <summary>When the run ends at the latest; zero when only the count ends it.</summary>
    public TimeSpan Duration { get; init; }

    /// <summary>False opens a new connection for every request.</summary>
    public bool KeepAlive { get; init; } = true;

    /// <summary>
    /// Requests a second of all clients together; 0 sends as fast as answers come. With a rate, latency is counted from
    /// the moment a request was due, not from when a busy connection came round to sending it.
    /// </summary>
    public double RatePerSecond { get; init; }

    /// <summary>How to speak TLS; null for plain HTTP.</summary>
    public LoadTls? Tls { get; init; }

    /// <summary>
    /// If it is set, all clients connect first, which counts neither as time nor as latency; then it is called, and the
    /// requests begin.
    /// </summary>
    public Action? Connected { get; init; }

    /// <summary>The address of this machine that connections come from; null for any.</summary>
    public System.Net.IPAddress? From { get; init; }

    /// <summary>A request without an answer for this long is a network failure.</summary>
    public TimeSpan Timeout { get; init; } = TimeSpan.FromSeconds(30);

    /// <summary>The number of the first request, for templates with <c>{n}</c>.</summary>
    public long FirstNumber { get; init; }

    /// <summary>How many numbers there are before they begin again.</summary>
    public long NumberCount { get; init; } = long.MaxValue;
}
