namespace Raven.Client.Documents.Queries.TimeSeries;

/// <summary>How stretches of time without entries, between two groups, are filled.</summary>
public enum InterpolationType
{
    /// <summary>They are left out.</summary>
    None,

    /// <summary>With values on the line between the two groups.</summary>
    Linear,

    /// <summary>With the values of the nearer group; of the earlier one if both are as near.</summary>
    Nearest,

    /// <summary>With the values of the group before.</summary>
    Last,

    /// <summary>With the values of the group behind.</summary>
    Next,
}
