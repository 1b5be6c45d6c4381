using System.Text.Json;
using Raven.Documents.Subscriptions;

namespace Raven.Server.Http.Subscriptions;

/// <summary>The second message of a worker: which subscription, and how it takes documents.</summary>
internal static class SocketOptions
{
    /// <summary>The most documents of a batch that a worker may ask for.</summary>
    internal const int BatchCountMax = 65_536;

    /// <summary>Reads the message.</summary>
    /// <param name="json">The message.</param>
    /// <param name="address">Where the worker is, for the list of workers.</param>
    /// <exception cref="SocketProtocolException">It is not valid.</exception>
    internal static (string Name, SubscriptionWorkerOptions Options) Read(JsonElement json, string? address)
    {
        string name = TcpHeader.Text(json, "SubscriptionName")
            ?? throw new SocketProtocolException("The options must have SubscriptionName, a text.");
        return (name, new SubscriptionWorkerOptions
        {
            Strategy = StrategyOf(TcpHeader.Text(json, "Strategy")),
            BatchCountMax = CountOf(TcpHeader.Find(json, "MaxDocsPerBatch")),
            EndsWhenEmpty = TcpHeader.Find(json, "CloseWhenNoDocsLeft") is { ValueKind: JsonValueKind.True },
            WorkerId = TcpHeader.Text(json, "WorkerId"),
            Address = address,
        });
    }

    /// <summary>Reads a strategy; none is <see cref="SubscriptionStrategy.OpenIfFree"/>.</summary>
    /// <exception cref="SocketProtocolException">It is not known.</exception>
    internal static SubscriptionStrategy StrategyOf(string? text) =>
        text is null ? SubscriptionStrategy.OpenIfFree
        : Enum.TryParse(text, ignoreCase: true, out SubscriptionStrategy strategy) && !char.IsAsciiDigit(text[0])
            ? strategy
            : throw new SocketProtocolException(
                $"Strategy must be one of {string.Join(", ", Enum.GetNames<SubscriptionStrategy>())}.");

    private static int CountOf(JsonElement? json) => json switch
    {
        null or { ValueKind: JsonValueKind.Null } => new SubscriptionWorkerOptions().BatchCountMax,
        { ValueKind: JsonValueKind.Number } number when number.TryGetInt32(out int count) && count >= 1 =>
            Math.Min(count, BatchCountMax),
        _ => throw new SocketProtocolException("MaxDocsPerBatch must be a whole number of at least 1."),
    };
}
