using System.Diagnostics;
using System.Text.Json;
using Raven.Blittable.Text;

namespace Raven.Server.Http;

/// <summary>
/// Times in answers: <c>yyyy-MM-ddTHH:mm:ss.fffffffZ</c>, always with seven digits. What <see cref="Utf8JsonWriter"/>
/// writes by itself ends at the last digit that is not zero, and clients that cut or parse by position fail on that.
/// </summary>
internal static class JsonTimes
{
    /// <summary>Writes a property; null if there is no time.</summary>
    internal static void WriteTime(this Utf8JsonWriter json, ReadOnlySpan<byte> name, DateTimeOffset? time)
    {
        if (time is not { } known)
        {
            json.WriteNull(name);
            return;
        }

        Span<byte> text = stackalloc byte[DateText.Length];
        bool fits = DateText.TryFormat(known.UtcTicks, text);
        Debug.Assert(fits);
        json.WriteString(name, text);
    }
}
