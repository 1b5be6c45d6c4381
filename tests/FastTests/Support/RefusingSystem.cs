namespace FastTests.Support;

/// <summary>Starts threads as the system does, or refuses to, as the system does if it has no room for more.</summary>
internal sealed class RefusingSystem
{
    internal bool Refuses { get; set; }

    internal void Start(Thread thread)
    {
        if (Refuses)
        {
            throw new InsufficientMemoryException("planted");
        }

        thread.Start();
    }
}
