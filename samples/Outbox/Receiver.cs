namespace Raven.Samples.Outbox;

/// <summary>
/// The other system. A message is sent at least once: after a lost acknowledgement it comes again, and its id says that
/// it is the same one. One caller at a time.
/// </summary>
internal sealed class Receiver(TextWriter output)
{
    private readonly HashSet<string> _seen = [];

    internal void Receive(string id, string text)
    {
        if (_seen.Add(id))
        {
            output.WriteLine($"Received: {text}");
        }
    }
}
