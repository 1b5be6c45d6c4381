using Raven.Documents.Sweeps;

namespace Raven.Server.Http;

/// <summary>Times in parameters of requests.</summary>
internal static class TimeParser
{
    /// <summary>Reads a time; UTC ticks.</summary>
    /// <exception cref="BadRequestException">It is none.</exception>
    internal static long Read(string text, string name) => DocumentTime.TryRead(text, out long ticks)
        ? ticks
        : throw new BadRequestException(400, ErrorType.Argument, $"{name} must be a time, not '{text}'.");
}
