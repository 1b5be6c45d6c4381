namespace Raven.Storage.Errors;

/// <summary>A folder does not open, as the pages of a delta are only partly in it: another delta brings it to a state.
/// </summary>
public sealed class DeltaUnfinishedException : Exception
{
    /// <summary>Reports the folder.</summary>
    /// <param name="folder">What it is called.</param>
    public DeltaUnfinishedException(string folder)
        : base($"{folder}: the copy of what changed on another node was not finished; it has to be made again.")
    {
    }
}
