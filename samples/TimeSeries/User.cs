namespace Raven.Samples.TimeSeries;

/// <summary>Who is measured.</summary>
internal sealed class User
{
    public string? Id { get; set; }

    public string Name { get; set; } = "";
}
