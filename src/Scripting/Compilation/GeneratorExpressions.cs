using Raven.Scripting.Execution;
using Raven.Scripting.Syntax;

namespace Raven.Scripting.Compilation;

/// <summary>
/// Takes the yields out of expressions: the parts left of a yield are kept in slots, the yield becomes a separate
/// statement, and the rest contains none. a + (yield b) becomes t1 = a; t2 = yield b; t1 + t2.
/// </summary>
internal abstract class GeneratorExpressions(FunctionInfo function, string source) : StatementCompiler(function, source)
{
    protected bool Yields(SyntaxNode? node) => Function.ContainsYield(node);

    /// <summary>A statement list that resumes at its last place.</summary>
    protected StatementNode PackResumable(List<StatementNode> body) =>
        body.Count == 1 ? body[0] : new ResumableListNode(NewSlot(), [.. body]);

    /// <summary>The same value without yields; the statements before it are added to <paramref name="into"/>.</summary>
    protected Expression Lower(Expression expression, List<StatementNode> into)
    {
        if (!Yields(expression))
        {
            return expression;
        }

        Enter(expression);
        Expression lowered = At(LowerCore(expression, into), expression);
        Leave();
        return lowered;
    }

    private Expression LowerCore(Expression expression, List<StatementNode> into)
    {
        switch (expression)
        {
            case YieldExpression yielded:
                return LowerYield(yielded, into);
            case BinaryExpression binary:
                List<Expression> sides = LowerAll([binary.Left, binary.Right], into);
                return new BinaryExpression(binary.Operator, sides[0], sides[1]);
            case UnaryExpression unary:
                return new UnaryExpression(unary.Operator, Lower(unary.Operand, into));
            case SequenceExpression sequence:
                foreach (Expression item in sequence.Items[..^1])
                {
                    into.Add(new ExpressionStatementNode(Compile(Lower(item, into))));
                }

                return Lower(sequence.Items[^1], into);
            case ConditionalExpression choice:
                return LowerChoice(Lower(choice.Test, into), choice.WhenTrue, choice.WhenFalse, into);
            case LogicalExpression logical:
                return LowerLogical(logical.Operator, Keep(Lower(logical.Left, into), into), logical.Right, into);
            case AssignExpression assign:
                return LowerAssign(assign, into);
            case UpdateExpression { Target: MemberExpression target } update:
                return new UpdateExpression(LowerMember(target, into), update.Increment, update.Prefix);
            case MemberExpression { Target: not SuperExpression } member:
                return LowerMember(member, into);
            case PrivateInExpression search:
                return new PrivateInExpression(search.Name, Lower(search.Right, into));
            case CallExpression call:
                return LowerCall(call, into);
            case NewExpression creation:
                List<Expression> parts = LowerAll([creation.Callee, .. creation.Arguments], into);
                return new NewExpression(parts[0], parts[1..]);
            case ArrayLiteral array when !array.Elements.Contains(null):
                return new ArrayLiteral([.. LowerAll(array.Elements!, into)], false);
            case ObjectLiteral literal:
                return LowerObject(literal, into);
            case TemplateLiteral template:
                return new TemplateLiteral(template.Cooked, template.Raw, [.. LowerAll([.. template.Holes], into)]);
            case SpreadElement spread:
                return new SpreadElement(Lower(spread.Operand, into));
            default:
                throw Error("'yield' is not supported in this place", expression);
        }
    }

    private TemporaryExpression LowerYield(YieldExpression yielded, List<StatementNode> into)
    {
        Node? operand = yielded.Operand is null ? null : Compile(Lower(yielded.Operand, into));
        int state = NewSlot();
        int result = NewSlot();
        into.Add(yielded.IsDelegate
            ? new YieldDelegateNode(state, result, operand!) : new YieldNode(state, result, operand));
        return At(new TemporaryExpression(result), yielded);
    }

    /// <summary>Keeps a value in a slot.</summary>
    private TemporaryExpression Keep(Expression value, List<StatementNode> into)
    {
        if (value is TemporaryExpression known)
        {
            return known;
        }

        int slot = NewSlot();
        into.Add(new DeclareLocalNode(slot, Compile(value)));
        return At(new TemporaryExpression(slot), value);
    }

    /// <summary>Values in order: those before the last yield are kept, those behind it need not be.</summary>
    private List<Expression> LowerAll(List<Expression> items, List<StatementNode> into)
    {
        int last = items.FindLastIndex(Yields);
        List<Expression> lowered = [];
        for (int i = 0; i < items.Count; i++)
        {
            Expression item = Lower(items[i], into);
            if (i >= last || item is NumberLiteral or StringLiteral or WordLiteral or FunctionExpression)
            {
                lowered.Add(item);
            }
            else if (item is SpreadElement spread)
            {
                ArrayLiteral all = At(new ArrayLiteral([spread], false), item);
                lowered.Add(At(new SpreadElement(Keep(all, into)), item));
            }
            else
            {
                lowered.Add(Keep(item, into));
            }
        }

        return lowered;
    }

    private TemporaryExpression LowerChoice(
        Expression test, Expression whenTrue, Expression whenFalse, List<StatementNode> into)
    {
        int slot = NewSlot();
        Node condition = Compile(test);
        into.Add(new ResumableIfNode(NewSlot(), condition, StoreIn(slot, whenTrue), StoreIn(slot, whenFalse)));
        return At(new TemporaryExpression(slot), test);
    }

    private TemporaryExpression LowerLogical(
        TokenKind op, TemporaryExpression left, Expression right, List<StatementNode> into)
    {
        Node goesOn = new LogicalTestNode(op, Compile(left));
        into.Add(new ResumableIfNode(NewSlot(), goesOn, StoreIn(left.Slot, right), null));
        return left;
    }

    private StatementNode StoreIn(int slot, Expression value)
    {
        List<StatementNode> body = [];
        Node node = Compile(Lower(value, body));
        body.Add(new DeclareLocalNode(slot, node));
        return PackResumable(body);
    }

    private MemberExpression LowerMember(MemberExpression member, List<StatementNode> into)
    {
        if (member.Computed is null)
        {
            return At(new MemberExpression(Lower(member.Target, into), member.Name, null, false), member);
        }

        List<Expression> parts = LowerAll([member.Target, member.Computed], into);
        return At(new MemberExpression(parts[0], null, parts[1], false) { Private = member.Private }, member);
    }

    private Expression LowerAssign(AssignExpression assign, List<StatementNode> into)
    {
        Expression? target = assign.Target switch
        {
            Identifier identifier => identifier,
            MemberExpression { Target: not SuperExpression } member => LowerReference(member, into),
            _ => null,
        };
        if (target is null)
        {
            return Yields(assign.Target) ? throw Error("'yield' is not supported in a pattern", assign)
                : new AssignExpression(assign.Operator, assign.Target, Lower(assign.Value, into));
        }

        if (assign.Operator == TokenKind.Assign)
        {
            return new AssignExpression(TokenKind.Assign, target, Lower(assign.Value, into));
        }

        TokenKind op = BinaryOf(assign.Operator);
        TemporaryExpression old = Keep(target, into);
        if (new CompoundOperator(op).IsLogical)
        {
            Expression store = At(new AssignExpression(TokenKind.Assign, target, assign.Value), assign);
            return LowerLogical(op, old, store, into);
        }

        Expression value = At(new BinaryExpression(op, old, Lower(assign.Value, into)), assign);
        return new AssignExpression(TokenKind.Assign, target, value);
    }

    /// <summary>The object and key of a property, both kept.</summary>
    private MemberExpression LowerReference(MemberExpression member, List<StatementNode> into)
    {
        Expression holder = Keep(Lower(member.Target, into), into);
        Expression? key = member.Computed is null ? null : Keep(Lower(member.Computed, into), into);
        return At(new MemberExpression(holder, member.Name, key, false) { Private = member.Private }, member);
    }

    private Expression LowerCall(CallExpression call, List<StatementNode> into)
    {
        if (call.Optional || call.Callee is OptionalChain)
        {
            throw Error("'yield' is not supported in an optional chain", call);
        }

        if (call.Callee is SuperExpression)
        {
            return new CallExpression(call.Callee, LowerAll(call.Arguments, into), false);
        }

        if (call.Callee is MemberExpression { Target: not SuperExpression } member)
        {
            MemberExpression reference = LowerReference(member, into);
            TemporaryExpression method = Keep(reference, into);
            return new CallWithThisExpression(method, reference.Target, LowerAll(call.Arguments, into));
        }

        List<Expression> parts = LowerAll([call.Callee, .. call.Arguments], into);
        return new CallExpression(parts[0], parts[1..], false);
    }

    private ObjectLiteral LowerObject(ObjectLiteral literal, List<StatementNode> into)
    {
        List<Expression> items = [];
        foreach (PropertyNode property in literal.Properties)
        {
            if (property.Computed is not null)
            {
                items.Add(property.Computed);
            }

            items.Add(property.Value!);
        }

        List<Expression> lowered = LowerAll(items, into);
        List<PropertyNode> properties = [];
        int next = 0;
        foreach (PropertyNode property in literal.Properties)
        {
            properties.Add(At(
                new PropertyNode
                {
                    Kind = property.Kind,
                    Name = property.Name,
                    Computed = property.Computed is null ? null : lowered[next++],
                    Value = lowered[next++],
                },
                property));
        }

        return new ObjectLiteral(properties);
    }

    /// <summary>
    /// Puts a made node in the place of the old one, but without its extent: it contains no yield anymore.
    /// </summary>
    private static T At<T>(T node, SyntaxNode place)
        where T : SyntaxNode
    {
        if (node.End == 0)
        {
            node.Start = place.Start;
            node.End = place.Start;
        }

        return node;
    }
}
