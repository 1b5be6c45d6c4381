using System.Globalization;
using System.Text.Json;

namespace Raven.Documents.Indexing.Definitions;

/// <summary>The options of a spatial field. Immutable.</summary>
/// <param name="IsInMiles">Whether radii and distances without a unit are miles.</param>
/// <param name="IsBox">Whether a shape is replaced by its bounding box.</param>
internal sealed record SpatialFieldOptions(bool IsInMiles, bool IsBox)
{
    private static readonly (string Name, double World)[] Bounds =
        [("MinX", -180), ("MaxX", 180), ("MinY", -90), ("MaxY", 90)];

    /// <summary>A field without options.</summary>
    internal static SpatialFieldOptions Default { get; } = new(false, false);

    /// <summary>How many kilometers a unit has.</summary>
    internal double KilometersPerUnit => IsInMiles ? Search.Spatial.GeoDistance.KilometersPerMile : 1;

    /// <summary>Reads options that are JSON; null for none.</summary>
    /// <exception cref="FormatException">They have an unknown option; the message says which.</exception>
    internal static SpatialFieldOptions Of(string? json)
    {
        if (json is null)
        {
            return Default;
        }

        using JsonDocument document = JsonDocument.Parse(json);
        JsonElement options = document.RootElement;
        if (options.ValueKind != JsonValueKind.Object)
        {
            throw new FormatException("Spatial must be an object.");
        }

        string type = OneOf(options, "Type", "Geography", "Cartesian");
        if (type == "Cartesian")
        {
            throw new FormatException("Spatial: 'Cartesian' is not supported: places are longitude and latitude.");
        }

        foreach ((string name, double world) in Bounds)
        {
            if (options.TryGetProperty(name, out JsonElement bound) && bound.ValueKind != JsonValueKind.Null
                && !(bound.ValueKind == JsonValueKind.Number && bound.GetDouble() == world))
            {
                throw new FormatException(string.Create(
                    CultureInfo.InvariantCulture,
                    $"Spatial: '{name}' of a field of longitude and latitude is {world}, not {bound.GetRawText()}."));
            }
        }

        if (options.TryGetProperty("MaxTreeLevel", out JsonElement level) && level.ValueKind != JsonValueKind.Null
            && !(level.ValueKind == JsonValueKind.Number && level.TryGetInt32(out int depth) && depth >= 0))
        {
            throw new FormatException("Spatial: 'MaxTreeLevel' must be a whole number that is not negative.");
        }

        return new SpatialFieldOptions(
            OneOf(options, "Units", "Kilometers", "Miles") == "Miles",
            OneOf(options, "Strategy", "GeohashPrefixTree", "QuadPrefixTree", "BoundingBox") == "BoundingBox");
    }

    private static string OneOf(JsonElement options, string name, params string[] known)
    {
        if (!options.TryGetProperty(name, out JsonElement value) || value.ValueKind == JsonValueKind.Null)
        {
            return known[0];
        }

        string? text = value.ValueKind == JsonValueKind.String ? value.GetString() : value.GetRawText();
        return Array.Find(known, one => one.Equals(text, StringComparison.OrdinalIgnoreCase))
            ?? throw new FormatException($"Spatial: '{name}' must be {string.Join(" or ", known)}, not '{text}'.");
    }
}
