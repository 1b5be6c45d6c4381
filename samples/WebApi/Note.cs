namespace Raven.Samples.WebApi;

/// <summary>A note.</summary>
internal sealed class Note
{
    public string? Id { get; set; }

    public string Text { get; set; } = "";

    public List<string> Tags { get; set; } = [];
}
