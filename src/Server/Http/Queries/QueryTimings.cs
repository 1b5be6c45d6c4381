using System.Text.Json;

namespace Raven.Server.Http.Queries;

/// <summary>How long the parts of a query took: <c>include timings()</c>.</summary>
internal sealed class QueryTimings
{
    private readonly TimeProvider _clock;
    private readonly long _began;
    private readonly List<(string Name, TimeSpan Time)> _parts = [];
    private long _last;

    /// <summary>Begins to measure.</summary>
    /// <param name="clock">Gives the time stamps.</param>
    /// <param name="began">When the query began, a time stamp of that clock.</param>
    internal QueryTimings(TimeProvider clock, long began)
    {
        _clock = clock;
        _began = began;
        _last = began;
    }

    /// <summary>Notes the end of a part.</summary>
    internal void Ended(string part)
    {
        long now = _clock.GetTimestamp();
        _parts.Add((part, _clock.GetElapsedTime(_last, now)));
        _last = now;
    }

    /// <summary>Writes the times in the form that clients read: parts in parts, in milliseconds.</summary>
    internal void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteNumber("DurationInMs"u8, (long)_clock.GetElapsedTime(_began).TotalMilliseconds);
        json.WriteStartObject("Timings"u8);
        foreach ((string name, TimeSpan time) in _parts)
        {
            json.WriteStartObject(name);
            json.WriteNumber("DurationInMs"u8, (long)time.TotalMilliseconds);
            json.WriteNumber("DurationInMicroseconds"u8, (long)time.TotalMicroseconds);
            json.WriteNull("Timings"u8);
            json.WriteEndObject();
        }

        json.WriteEndObject();
        json.WriteEndObject();
    }
}
