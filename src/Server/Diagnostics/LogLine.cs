using Microsoft.Extensions.Logging;

namespace Raven.Server.Diagnostics;

/// <summary>A line of the log.</summary>
/// <param name="At">When it was written.</param>
/// <param name="Level">Its level.</param>
/// <param name="Source">The part of the server that wrote it.</param>
/// <param name="Event">The number of the event; 0 if it has none.</param>
/// <param name="Text">What it says, one line.</param>
/// <param name="Trace">The trace of an exception, of several lines; or empty.</param>
internal sealed record LogLine(
    DateTimeOffset At, LogLevel Level, string Source, int Event, string Text, string Trace);
