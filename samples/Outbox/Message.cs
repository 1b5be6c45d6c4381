namespace Raven.Samples.Outbox;

/// <summary>What has to reach another system if, and only if, the order that it is of is stored.</summary>
internal sealed class Message
{
    public string? Id { get; set; }

    public string Text { get; set; } = "";
}
