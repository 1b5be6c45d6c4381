using System.Text.Json;

namespace Raven.Server.Http.Queries;

/// <summary>How long the parts of a query took, and parts of these: <c>include timings()</c>.</summary>
internal sealed class QueryTimings
{
    private readonly TimeProvider _clock;
    private readonly List<Part> _parts = [];
    private long _began;
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

    /// <summary>Adds what came before: from when the request came, its body was read and understood.</summary>
    internal void Parsed(long requested)
    {
        _parts.Add(new Part("Parse", _clock.GetElapsedTime(requested, _began), []));
        _began = requested;
    }

    /// <summary>Notes the end of a part.</summary>
    /// <param name="part">Its name.</param>
    /// <param name="inner">What it was made of, as far as that is known.</param>
    internal void Ended(string part, params ReadOnlySpan<(string Name, TimeSpan Time)> inner)
    {
        long now = _clock.GetTimestamp();
        var parts = new Part[inner.Length];
        for (int i = 0; i < parts.Length; i++)
        {
            parts[i] = new Part(inner[i].Name, inner[i].Time, []);
        }

        _parts.Add(new Part(part, _clock.GetElapsedTime(_last, now), parts));
        _last = now;
    }

    /// <summary>The time since the last part has ended.</summary>
    internal TimeSpan SinceLast => _clock.GetElapsedTime(_last);

    /// <summary>Writes the times in the form that clients read: parts in parts, in milliseconds.</summary>
    internal void Write(Utf8JsonWriter json)
    {
        json.WriteStartObject();
        json.WriteNumber("DurationInMs"u8, (long)_clock.GetElapsedTime(_began).TotalMilliseconds);
        json.WritePropertyName("Timings"u8);
        Write(json, _parts);
        json.WriteEndObject();
    }

    private static void Write(Utf8JsonWriter json, IReadOnlyList<Part> parts)
    {
        json.WriteStartObject();
        foreach (Part part in parts)
        {
            json.WriteStartObject(part.Name);
            json.WriteNumber("DurationInMs"u8, (long)part.Time.TotalMilliseconds);
            json.WriteNumber("DurationInMicroseconds"u8, (long)part.Time.TotalMicroseconds);
            json.WritePropertyName("Timings"u8);
            if (part.Inner.Length == 0)
            {
                json.WriteNullValue();
            }
            else
            {
                Write(json, part.Inner);
            }

            json.WriteEndObject();
        }

        json.WriteEndObject();
    }

    private sealed record Part(string Name, TimeSpan Time, Part[] Inner);
}
