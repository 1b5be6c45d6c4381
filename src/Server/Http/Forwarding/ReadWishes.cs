using System.Globalization;
using Microsoft.Extensions.Primitives;
using Raven.Server.Http.Cluster;

namespace Raven.Server.Http.Forwarding;

/// <summary>Reads what a request asks of the state that answers it.</summary>
internal static class ReadWishes
{
    /// <summary>How old the state may be, as <c>5s</c>, <c>500ms</c> or <c>1m</c>.</summary>
    internal const string Staleness = "Raven-Max-Staleness";

    /// <summary>The etag that the state must have reached: that of a write, as a session knows it.</summary>
    internal const string MinEtag = "Raven-Min-Etag";

    /// <summary>The same for cluster transactions, as RavenDB's clients send it.</summary>
    internal const string KnownIndex = "Known-Raft-Index";

    private static readonly TimeSpan StalenessMax = TimeSpan.FromDays(1);

    /// <summary>The wish of a request.</summary>
    /// <exception cref="BadRequestException">400: a header cannot be read.</exception>
    internal static ReadWish Of(RequestContext request)
    {
        StringValues staleness = request.Headers[Staleness];
        long etag = Math.Max(EtagOf(request, MinEtag), EtagOf(request, KnownIndex));
        return new ReadWish(staleness.Count == 0 ? null : SpanOf(staleness.ToString()), etag);
    }

    private static long EtagOf(RequestContext request, string name)
    {
        StringValues value = request.Headers[name];
        if (value.Count == 0)
        {
            return 0;
        }

        return long.TryParse(
            value.ToString().AsSpan().Trim('"'), NumberStyles.None, CultureInfo.InvariantCulture, out long etag)
            ? etag
            : throw new BadRequestException(
                400, ErrorType.Argument, $"{name} must be a whole number that is not negative, not '{value}'.");
    }

    private static TimeSpan SpanOf(string text)
    {
        ReadOnlySpan<char> number = text.AsSpan().TrimEnd("msh");
        double unit = text.AsSpan(number.Length) switch
        {
            "ms" => 1,
            "s" => 1_000,
            "m" => 60_000,
            "h" => 3_600_000,
            _ => 0,
        };
        return unit > 0
            && double.TryParse(number, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out double count)
            && count * unit <= StalenessMax.TotalMilliseconds
            ? TimeSpan.FromMilliseconds(count * unit)
            : throw new BadRequestException(
                400, ErrorType.Argument,
                $"{Staleness} must be a time of at most a day with its unit, as 500ms, 5s or 1m, not '{text}'.");
    }
}
