using System.Text.RegularExpressions;

namespace Shared.Mutants;

/// <summary>A replacement of text in one file of the sources.</summary>
/// <param name="File">The file, from the root of the repository.</param>
/// <param name="Find">The text, which the file has exactly once; white space in it stands for any white space.</param>
/// <param name="Replacement">What it becomes.</param>
internal sealed record SourceEdit(string File, string Find, string Replacement)
{
    /// <summary>The text with the edit made in it.</summary>
    /// <exception cref="InvalidOperationException">It does not have the place, or has several.</exception>
    internal string Apply(string source)
    {
        string[] words = Find.Split((char[]?)null, StringSplitOptions.RemoveEmptyEntries);
        MatchCollection places = Regex.Matches(source, string.Join(@"\s+", words.Select(Regex.Escape)));
        return places is [Match place]
            ? string.Concat(source.AsSpan(0, place.Index), Replacement, source.AsSpan(place.Index + place.Length))
            : throw new InvalidOperationException($"{File} has {places.Count} places with this text: {Find}");
    }
}
