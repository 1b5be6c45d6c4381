using Raven.Scripting.Runtime;


namespace Raven.Scripting.Execution;

/// <summary>
/// A compiled expression: a tree of closures over slots, shared by all runs and threads. Nodes do not change, except
/// for hints about a property's last place, which are single words that may be stale.
/// </summary>
internal abstract class Node
{
    /// <summary>Offset in the script, for messages.</summary>
    internal int Position { get; init; }

    internal abstract JsValue Evaluate(Frame frame);

    /// <summary>The truth of the value: comparisons need not make a boolean.</summary>
    internal virtual bool Test(Frame frame) => Operations.ToBoolean(Evaluate(frame));
}

/// <summary>A node that can also be assigned: a variable or a property.</summary>
internal abstract class TargetNode : Node
{
    internal abstract void Assign(Frame frame, JsValue value);
}

/// <summary>A compiled statement.</summary>
internal abstract class StatementNode
{
    internal abstract Completion Execute(Frame frame);
}

/// <summary>Evaluates the rest of a deep expression only if the stack has room.</summary>
internal sealed class DepthGuardNode(Node inner) : Node
{
    internal override JsValue Evaluate(Frame frame)
    {
        frame.Run.CheckStack();
        return inner.Evaluate(frame);
    }
}

/// <summary>Executes the rest of deeply nested statements only if the stack has room.</summary>
internal sealed class DepthGuardStatement(StatementNode inner) : StatementNode
{
    internal override Completion Execute(Frame frame)
    {
        frame.Run.CheckStack();
        return inner.Execute(frame);
    }
}
