namespace Raven.Tools.Bench;

/// <summary>
/// A group of measurements that belong together, run as <c>Bench NAME</c>. Any public or internal class of this
/// assembly that implements it and has a constructor without parameters is found by reflection; put it into
/// <c>Suites/NAME/</c>. Several classes may share a name: their rows follow each other in one table.
/// </summary>
public interface IBenchSuite
{
    /// <summary>The word for the command line, lower case.</summary>
    string Name { get; }

    /// <summary>True if its figures hang on the disk: what that does alone is measured before each row.</summary>
    bool IsOnDisk => false;

    /// <summary>
    /// The rows, in the order of the table. A row is measured when it is yielded and before the next one is asked
    /// for, so that set-up may stand before a <c>yield return</c>, and what must be stopped in a <c>finally</c>
    /// around it.
    /// </summary>
    IEnumerable<BenchRow> GetRows(BenchContext context);
}
