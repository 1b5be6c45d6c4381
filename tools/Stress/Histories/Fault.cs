using System.Globalization;

namespace Raven.Tools.Stress.Histories;

/// <summary>Something that is done to a cluster, and undone later.</summary>
/// <param name="At">When, from the start of the clients.</param>
/// <param name="Length">How long until it is undone.</param>
/// <param name="Kind">What.</param>
/// <param name="HitsPrimary">Whether the server that it concerns is the primary then; else it is another one.</param>
/// <param name="Choice">Decides what else there is to decide.</param>
internal sealed record Fault(TimeSpan At, TimeSpan Length, FaultKind Kind, bool HitsPrimary, int Choice)
{
    /// <inheritdoc/>
    public override string ToString() => string.Create(
        CultureInfo.InvariantCulture,
        $"{At.TotalSeconds:0.0} s +{Length.TotalSeconds:0.0} s {Kind}{(HitsPrimary ? " of the primary" : "")}");
}
